"""English words whose forms no stemmer brings together: irregular verbs and plurals. Plain grammar, as a table. Pure."""

from __future__ import annotations

_TABLE = """
be am is are was were been being; have has had having; do does did done doing; go goes went gone going; get got gotten getting; make
made making; take took taken taking; see saw seen; come came coming; know knew known; think thought; give gave given giving; find
found; tell told; become became becoming; leave left leaving; feel felt; bring brought; begin began begun; keep kept; hold held;
write wrote written writing; stand stood; hear heard; mean meant; meet met; run ran; pay paid; sit sat; speak spoke spoken; lead
led; grow grew grown; lose lost; fall fell fallen; send sent; build built; understand understood; draw drew drawn; break broke
broken; spend spent; rise rose risen; drive drove driven; buy bought; wear wore worn; choose chose chosen; eat ate eaten; teach
taught; catch caught; fight fought; sell sold; win won; sing sang sung; swim swam swum; fly flew flown; sleep slept; forget forgot
forgotten; throw threw thrown; shoot shot; ride rode ridden; steal stole stolen; hide hid hidden; bite bit bitten; blow blew blown;
drink drank drunk; feed fed; freeze froze frozen; lend lent; say said; seek sought; shake shook shaken; shine shone; show shown;
stick stuck; strike struck; swear swore sworn; sweep swept; tear tore torn; wake woke woken; weep wept; withdraw withdrew withdrawn;
bend bent; bind bound; breed bred; deal dealt; dig dug; dream dreamt; hang hung; kneel knelt; learn learnt; burn burnt; spell spelt;
ring rang rung; sink sank sunk; spring sprang sprung; overcome overcame; undergo underwent undergone; override overrode overridden;
rewrite rewrote rewritten; rebuild rebuilt; child children; person people; man men; woman women; mouse mice; foot feet; tooth teeth;
goose geese; wife wives; life lives; knife knives; leaf leaves; index indices; matrix matrices; vertex vertices; good better best;
bad worse worst"""

FAMILY: dict[str, tuple[str, ...]] = {
    form: forms for forms in (tuple(group.split()) for group in _TABLE.replace("\n", " ").split(";")) for form in forms
}
"""Every form by each of them."""
