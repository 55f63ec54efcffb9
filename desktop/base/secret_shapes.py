"""The shapes of credentials: one row a kind, with the literal that each value of it holds and the pattern of the whole value.

Owns the table alone; looking for them is `desktop.base.redact`. A pattern has no part that can be read in two ways, and no long run in
front of a part that may be missing, so that a search takes linear time. Pure data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from desktop.base.phrases import say

_W = "-A-Za-z0-9_"
_AN = "A-Za-z0-9"
_HEX = "a-f0-9"


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of credential.

    Attributes:
        kind: in words, for people.
        hints: literals of which a text with such a value holds one; looked for first, since that is fast.
        pattern: the whole value; group 1 where only a part of it is the secret.
        word: it is one long word, which a line break may have cut in two.
        mixed: it counts only with a letter and a digit in it, as random values have.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: str
    word: bool = True
    mixed: bool = True

    @property
    def standing(self) -> re.Pattern[str]:
        """The pattern for a text as it is: nothing but a break between words stands before the value."""
        return _compiled(rf"(?<![{_AN}])(?:{self.pattern})" if self.word else self.pattern)

    @property
    def joined(self) -> re.Pattern[str]:
        """The pattern for a text whose line breaks were taken out, where anything may stand before the value."""
        return _compiled(self.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a hint is first met: most of the table is never needed."""
    return re.compile(pattern)


def _token(vendor: str, hints: str, pattern: str, *, mixed: bool = True) -> Shape:
    return Shape(say("{vendor} token", vendor=vendor), tuple(hints.split()), pattern, mixed=mixed)


def _key(vendor: str, hints: str, pattern: str, *, mixed: bool = True) -> Shape:
    return Shape(say("{vendor} key", vendor=vendor), tuple(hints.split()), pattern, mixed=mixed)


def _shape(kind: str, hints: str, pattern: str, mixed: bool) -> Shape:
    return Shape(kind, tuple(hints.split()), pattern, mixed=mixed)


def _text(kind: str, hints: tuple[str, ...], pattern: str) -> Shape:
    """Something that is no single word: looked for as it stands."""
    return Shape(kind, hints, pattern, word=False, mixed=False)


_MODELS = (
    _key("Anthropic", "sk-ant-", rf"sk-ant-[{_W}]{{16,}}"),
    _key("OpenRouter", "sk-or-", rf"sk-or-(?:v1-)?[{_W}]{{20,}}"),
    _key("OpenAI", "sk-", rf"sk-(?:proj-|svcacct-|admin-|None-)?[{_W}]{{20,}}"),
    _key("Groq", "gsk_", rf"gsk_[{_AN}]{{30,}}"),
    _key("Cerebras", "csk-", rf"csk-[{_AN}]{{30,}}"),
    _key("Perplexity", "pplx-", rf"pplx-[{_AN}]{{30,}}"),
    _key("xAI", "xai-", rf"xai-[{_AN}]{{40,}}"),
    _key("NVIDIA", "nvapi-", rf"nvapi-[{_W}]{{40,}}"),
    _key("Tavily", "tvly-", rf"tvly-[{_W}]{{20,}}"),
    _key("Pinecone", "pcsk_", rf"pcsk_[{_W}]{{30,}}"),
    _key("Jina", "jina_", rf"jina_[{_W}]{{30,}}"),
    _token("Replicate", "r8_", rf"r8_[{_AN}]{{30,}}"),
    _token("Hugging Face", "hf_ api_org_", rf"(?:hf_|api_org_)[{_AN}]{{30,}}"),
    _key("LangSmith", "lsv2_", rf"lsv2_(?:pt|sk)_[{_HEX}]{{32}}_[{_HEX}]{{8,}}"),
    _key("ElevenLabs", "sk_", rf"sk_[{_HEX}]{{48}}(?![{_AN}])"),
    _key("Zhipu", ".", rf"[{_HEX}]{{32}}\.[{_AN}]{{16}}(?![{_AN}])"),
)
_CODE = (
    _token("GitHub", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", rf"(?:gh[pousr]_[{_AN}]{{30,}}|github_pat_[{_AN}_]{{30,}})"),
    _token("GitLab", "gl", rf"(?:gl(?:pat|dt|rt|cbt|ptt|soat|ft|agent|oas|imt)|glrtr)-[{_W}]{{18,}}(?:\.[{_W}.]{{2,}})?"),
    _token("GitLab", "GR1348941", rf"GR1348941[{_W}]{{18,}}"),
    _key("Bitbucket", "ATBB", rf"ATBB[{_AN}]{{24,}}"),
    _token("Atlassian", "ATATT3 ATCTT3", rf"AT[AC]TT3[{_W}=]{{40,}}"),
    _token("Trello", "ATTA", rf"ATTA[{_AN}]{{32,}}"),
    _token("npm", "npm_", rf"npm_[{_AN}]{{30,}}"),
    _token("PyPI", "pypi-", rf"pypi-[{_W}]{{30,}}"),
    _key("RubyGems", "rubygems_", rf"rubygems_[{_HEX}]{{40,}}"),
    _token("crates.io", "cio", rf"cio[{_AN}]{{32}}(?![{_AN}])"),
    _key("NuGet", "oy2", rf"oy2[a-z0-9]{{43}}(?![{_AN}])"),
    _token("Clojars", "CLOJARS_", rf"CLOJARS_[{_AN}]{{50,}}"),
    _token("Docker", "dckr_", rf"dckr_[po]at_[{_W}]{{20,}}"),
    _token("JFrog", "AKC cmVmd", rf"(?:AKC[a-z][{_AN}]{{60,}}|cmVmd[{_AN}]{{50,}})"),
    _token("CircleCI", "CCIPAT_ CCIPRJ_", rf"CCIP(?:AT|RJ)_[{_W}]{{30,}}"),
    _token("Buildkite", "bkua_", rf"bkua_[{_HEX}]{{40}}"),
    _token("SonarQube", "sqp_ squ_ sqa_", rf"sq[pua]_[{_HEX}]{{40}}"),
    _token("Sourcegraph", "sgp_", rf"sgp_[{_AN}_]{{40,}}"),
    _key("Postman", "PMAK-", rf"PMAK-[{_HEX}]{{24}}-[{_HEX}]{{34}}"),
    _token("Pulumi", "pul-", rf"pul-[{_HEX}]{{40}}"),
    _token("Terraform", ".atlasv1.", rf"[{_AN}]{{14}}\.atlasv1\.[{_W}]{{50,}}"),
    _token("Vault", "hvs. hvb. hvr.", rf"hv[sbr]\.[{_W}]{{20,}}"),
    _token("Doppler", "dp.", rf"dp\.(?:pt|st|sa|ct|scim|audit)\.(?:[{_W}]{{1,40}}\.)?[{_AN}]{{40,}}"),
    _token("1Password", "ops_eyJ", rf"ops_eyJ[{_W}]{{40,}}", mixed=False),
    _key("1Password", "A3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
)
_CLOUD = (
    _shape(say("AWS key id"), "AKIA ASIA ABIA ACCA", rf"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}(?![{_AN}])", False),
    _key("AWS Bedrock", "ABSK bedrock-api-key-", r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{60,}"),
    _token("AWS session", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=]{60,}"),
    _shape(say("Google API key"), "AIza", rf"AIza[{_W}]{{35}}(?![{_AN}])", False),
    _shape(say("Google OAuth token"), "ya29.", rf"ya29\.[{_W}]{{20,}}", True),
    _token("Google refresh", "1//0", rf"1//0[{_W}]{{40,}}"),
    _key("Google client", "GOCSPX-", rf"GOCSPX-[{_W}]{{24,}}"),
    _key("Azure", "AccountKey= SharedAccessKey= accountkey=", r"(?i:account|sharedaccess)(?i:key)=([A-Za-z0-9+/]{40,100}={0,2})"),
    _key("Azure client", "Q~", rf"[{_AN}_~.-]{{3}}[0-9]Q~[{_AN}_~.-]{{31,34}}"),
    _token("Azure shared access", "sig=", r"sig=([A-Za-z0-9+/%]{40,}={0,2})"),
    _key(
        "Azure",
        "AzFu AzSe ACDb +ASt +ACR +AMC APIM AIoT +AEh +ABa +ARm",
        r"[A-Za-z0-9+/_-]{32,76}(?:AzFu|AzSe|ACDb|\+ASt|\+ACR|\+AMC|APIM|AIoT|\+AEh|\+ABa|\+ARm)[A-Za-z0-9+/_-]{5,12}={0,2}(?![A-Za-z0-9])",
    ),
    _token("Azure DevOps", "AZDO", rf"[{_AN}]{{70,80}}AZDO[{_AN}]{{4}}"),
    _key("Alibaba Cloud", "LTAI", rf"LTAI[{_AN}]{{12,30}}(?![{_AN}])"),
    _key("Tencent Cloud", "AKID", rf"AKID[{_AN}]{{32}}(?![{_AN}])"),
    _key("Baidu Cloud", "ALTAK", rf"(?:bce-v3/)?ALTAK-?[{_AN}]{{20,40}}(?:/[{_HEX}]{{40}})?"),
    _key("Volcengine", "AKLT", rf"AKLT[{_AN}]{{40,}}"),
    _key("Yandex Cloud", "AQVN YCAJ YCM YCN t1.", rf"(?:AQVN[{_W}]{{35,}}|YC[AMN][{_W}]{{22,38}}|t1\.[{_W}]{{60,}}[{_W}.=]*)"),
    _key("Scaleway", "SCW", rf"SCW[A-Z0-9]{{17}}(?![{_AN}])"),
    _token("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", rf"do[opr]_v1_[{_HEX}]{{32,64}}"),
    _token("Cloudflare", "cfut_ cfat_ cfk_", rf"cf(?:ut|at|k)_[{_W}]{{30,}}"),
    _key("Cloudflare", "v1.0-", rf"v1\.0-[{_HEX}]{{24}}-[{_HEX}]{{100,}}"),
    _key("Heroku", "HRKU-", rf"HRKU-[{_W}]{{30,}}"),
    _token("Fly.io", "fm2_ fm1 fo1_", rf"(?:fm[12][ar]?_[A-Za-z0-9+/=,_-]{{50,}}|fo1_[{_W}]{{40,}})"),
    _token("Netlify", "nfp_ nfo_", rf"nf[po]_[{_AN}]{{30,}}"),
    _token("Vercel", "vcp_ vci_ vca_ vcr_ vck_", rf"vc[piark]_[{_AN}]{{20,}}"),
    _key("Render", "rnd_", rf"rnd_[{_AN}]{{26,}}"),
    _token("Supabase", "sbp_ sb_secret_", rf"(?:sbp_(?:v0_)?[{_HEX}]{{40}}|sb_secret_[{_W}]{{20,}})"),
    _key("Neon", "napi_", rf"napi_[{_AN}]{{40,}}"),
    _token("PlanetScale", "pscale_", rf"pscale_(?:tkn|pw|oauth)_[{_W}.=]{{30,}}"),
    _token("Databricks", "dapi dose", rf"(?:dapi|dose)[{_HEX}]{{32}}(?:-\d)?(?![{_AN}])"),
    _key("Tailscale", "tskey-", rf"tskey-(?:[a-z]{{2,9}}-)?[{_AN}]{{8,}}-?[{_AN}]{{10,}}"),
    _token("Prefect", "pnu_ pnb_", rf"pn[ub]_[{_AN}]{{36}}"),
)
_WATCHING = (
    _key("New Relic", "NRAK- NRJS- NRII- NRIQ- NRRA- NRAL", rf"(?:NR(?:AK|JS|II|IQ|RA)-[{_W}]{{18,}}|[{_HEX}]{{36}}NRAL)"),
    _token("Sentry", "sntrys_ sntryu_ sntrya_ sntryi_", r"sntry[suai]_[A-Za-z0-9+/=_-]{30,}"),
    _text(say("Sentry address with its key"), ("ingest", "sentry"), r"https?://[a-f0-9]{32}(?::[a-f0-9]{32})?@[^\s/'\"<>]{1,100}/[0-9]+"),
    _token("Grafana", "glsa_ glc_ eyJrIjoi", rf"(?:glsa_[{_AN}]{{32}}_[{_HEX}]{{8}}|(?:glc_|eyJrIjoi)[A-Za-z0-9+/=]{{32,}})"),
    _token("Dynatrace", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{20,}\.[A-Z0-9]{60,}"),
    _key("Honeycomb", "hcaik_ hcxik_ hcalk_", rf"hc[ax][il]k_[{_AN}]{{30,}}"),
    _key("LaunchDarkly", "sdk- api- mob-", rf"(?:sdk|api)-[{_HEX}]{{8}}-[{_HEX}]{{4}}-[{_HEX}]{{4}}-[{_HEX}]{{4}}-[{_HEX}]{{12}}"),
    _key("PostHog", "phx_ phs_", rf"ph[xs]_[{_AN}]{{30,}}"),
    _key("Datadog", "ddapp_ ddapi_ pub", rf"dda(?:pp|pi)_[{_AN}]{{30,}}"),
)
_WORK = (
    _token("Slack", "xox xapp-", rf"(?:xox[abceoprsd](?:\.xox[bp])?-[{_W}]{{10,}}|xapp-\d-[{_W}]{{10,}})"),
    _text(say("Slack webhook"), ("hooks.slack.com",), r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{20,}"),
    _text(say("Discord webhook"), ("/api/webhooks/",), r"discord(?:app)?\.com/api/webhooks/\d{10,}/[A-Za-z0-9_-]{30,}"),
    _text(say("Teams webhook"), ("webhook.office.com",), r"webhook\.office\.com/[^\s'\"<>]{40,}"),
    _text(say("Feishu webhook"), ("/open-apis/bot/",), r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/[A-Za-z0-9-]{20,}"),
    _text(say("DingTalk webhook"), ("oapi.dingtalk.com",), r"oapi\.dingtalk\.com/robot/send\?access_token=[A-Za-z0-9]{30,}"),
    _text(say("WeCom webhook"), ("qyapi.weixin.qq.com",), r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[A-Za-z0-9-]{20,}"),
    _token("Discord", ".", rf"[MNO][{_W}]{{23,27}}\.[{_W}]{{6}}\.[{_W}]{{27,}}"),
    _token("Telegram", ":AA", rf"\d{{8,10}}:AA[{_W}]{{32,}}"),
    _key("Linear", "lin_api_ lin_oauth_ lin_wh_", rf"lin_(?:api|oauth|wh)_[{_AN}]{{30,}}"),
    _token("Notion", "ntn_ secret_", rf"(?:ntn_[{_AN}]{{40,}}|secret_[{_AN}]{{43}}(?![{_AN}]))"),
    _token("Asana", "/1", rf"[12]/\d{{12,20}}(?:/\d{{12,20}})?:[{_HEX}]{{32}}"),
    _token("Figma", "figd_ figu_", rf"fig[du]_[{_W}]{{36,}}"),
    _token("Airtable", "pat", rf"pat[{_AN}]{{14}}\.[{_HEX}]{{64}}"),
    _token("Typeform", "tfp_", rf"tfp_[{_W}]{{40,}}"),
    _token("Dropbox", "sl.", rf"sl\.(?:u\.)?[{_W}]{{100,}}"),
    _token("Contentful", "CFPAT-", rf"CFPAT-[{_W}]{{40,}}"),
    _token("ClickUp", "pk_", r"pk_\d{5,12}_[A-Z0-9]{32}"),
    _token("Mapbox", "sk.eyJ", rf"sk\.eyJ[{_W}]{{20,}}\.[{_W}]{{16,}}"),
    _token("Meta", "EAA", rf"EAA[{_AN}]{{80,}}"),
    _token("X", "AAAAAAAAAAAAAAAA", r"A{16,24}[A-Za-z0-9%]{60,}"),
    _key("ReadMe", "rdme_", rf"rdme_[{_AN}]{{60,}}"),
)
_MONEY_AND_MAIL = (
    _key("Stripe", "_live_ _test_ whsec_", rf"(?:(?:sk|rk|pk)_(?:live|test)_[{_AN}]{{16,}}|whsec_[A-Za-z0-9+/=]{{24,}})"),
    _token("Square", "sq0 EAAA", rf"(?:sq0[a-z]{{3}}-[{_W}]{{20,}}|EAAA[{_W}]{{56,}})"),
    _token("Shopify", "shp", rf"shp(?:at|ca|pa|ss|tka|ua)_[{_AN}]{{30,}}"),
    _token("Braintree", "access_token$", rf"access_token\$(?:production|sandbox)\$[a-z0-9]{{10,}}\$[{_HEX}]{{32}}"),
    _token("Plaid", "access-", rf"access-(?:production|sandbox|development)-[{_HEX}]{{8}}(?:-[{_HEX}]{{4}}){{3}}-[{_HEX}]{{12}}"),
    _key("Razorpay", "rzp_", rf"rzp_(?:live|test)_[{_AN}]{{14,}}"),
    _key("Flutterwave", "FLWSECK", rf"FLWSECK(?:_TEST)?-[{_W}]{{30,}}"),
    _key("Mollie", "live_ test_", rf"(?:live|test)_[{_AN}]{{30,}}(?![{_AN}_])"),
    _token("Shippo", "shippo_", rf"shippo_(?:live|test)_[{_HEX}]{{40}}"),
    _key("EasyPost", "EZAK EZTK", rf"EZ[AT]K[{_AN}]{{54,}}"),
    _token("Duffel", "duffel_", rf"duffel_(?:live|test)_[{_W}=]{{40,}}"),
    _key("SendGrid", "SG.", rf"SG\.[{_W}]{{16,}}\.[{_W}]{{16,}}"),
    _key("Mailgun", "key- pubkey-", rf"(?:pub)?key-[{_HEX}]{{32}}(?![{_AN}])"),
    _key("Mailgun", "-", rf"[{_HEX}]{{32}}-[{_HEX}]{{8}}-[{_HEX}]{{8}}(?![{_AN}-])"),
    _key("Mailchimp", "-us", rf"[{_HEX}]{{32}}-us\d{{1,2}}(?!\d)"),
    _key("Brevo", "xkeysib- xsmtpsib-", rf"x(?:key|smtp)sib-[{_HEX}]{{64}}-[{_AN}]{{10,}}"),
    _key("Resend", "re_", rf"re_[{_AN}]{{8}}_[{_AN}]{{24}}(?![{_AN}])"),
    _key("Mandrill", "md-", rf"md-[{_W}]{{22}}(?![{_W}])"),
    _key("Twilio", "SK", rf"SK[0-9a-f]{{32}}(?![{_AN}])"),
)
_OPEN_KEYS = (
    _text(
        say("private key"),
        ("PRIVATE KEY",),
        r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:(?!----)[\s\S]){0,20000}"
        r"(?:-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5})?",
    ),
    _text(say("private key"), ("PuTTY-User-Key-File",), r"PuTTY-User-Key-File-\d[\s\S]{0,8000}?Private-MAC: ?[a-f0-9]{20,}"),
    _shape(say("private key"), "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}", False),
    _text(
        say("private key"),
        ("LS0tLS1CRUdJTi",),
        r"LS0tLS1CRUdJTi(?:B(?:SU0EgU|FQyBQ|QUk|PUEVOU1N|EU0EgU|FTkNSWVBURU)|A)[A-Za-z0-9+/=\n]{40,}",
    ),
    _shape(say("JSON web token"), "eyJ", rf"(?<![-_])eyJ[{_W}]{{8,}}\.eyJ[{_W}]{{8,}}\.[{_W}]{{8,}}", False),
    _text(say("JSON web token"), ("eyJ",), rf"(?<![{_W}])eyJ[{_W}]{{8,}}\.[{_W}]{{0,1000}}\.[{_W}]{{8,}}\.[{_W}]{{8,}}\.[{_W}]{{16,}}"),
    _text(
        say("password hash"),
        ("$2", "$apr1$", "$argon2", "$6$", "$5$", "$1$", "$y$", "{SHA}", "{SSHA", "pbkdf2_sha"),
        r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|\$(?:apr1|[1567y]|sha1)\$[^\s:$]{1,60}\$[./A-Za-z0-9$]{20,100}|\$argon2(?:id|i|d)\$[^\s]{20,200}"
        r"|\{S?SHA(?:256|512)?\}[A-Za-z0-9+/]{24,100}={0,2}|pbkdf2_sha(?:1|256|512)\$\d+\$[^\s$]{4,60}\$[A-Za-z0-9+/]{24,100}={0,2}",
    ),
    _text(
        say("password or key"),
        ("授权码", "授權碼", "专用密码", "專用密碼", "app password", "App password", "App Password", "app-specific", "App-specific"),
        r"(?:授权码|授權碼|专用密码|專用密碼|(?i:app(?:-specific)? password))"
        r"[^\na-zA-Z0-9]{0,12}(?:is[ \t]{1,3}:?|[:：是为＝=])[ \t\"'`“「*]{0,6}"
        r"([a-z]{16}|[a-z]{4}(?: [a-z]{4}){3})(?![ ]?[A-Za-z0-9_-])",
    ),
    _text(
        say("password or key"),
        ("ookie", "COOKIE"),
        r"(?i:(?:set-)?cookie)[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?"
        r"[A-Za-z0-9_.-]{1,60}=(?=[A-Za-z._~+/%-]{0,60}[0-9])(?=[0-9._~+/%-]{0,60}[A-Za-z])([A-Za-z0-9._~+/%-]{20,})",
    ),
    _text(say("one-time password seed"), ("otpauth://",), r"(?i)otpauth://[^\s'\"<>]{0,300}secret=[a-z2-7]{12,}"),
)
SHAPES: tuple[Shape, ...] = (*_OPEN_KEYS, *_MODELS, *_CODE, *_CLOUD, *_WATCHING, *_WORK, *_MONEY_AND_MAIL)
