"""Text that speaks to a future agent against its person: recognised before it is kept as memory (safety, S10 and S11).

Owns the patterns, English and Chinese, and nothing else: who may write such a text all the same is the gate's matter. Each pattern
needs an agent's own things (earlier instructions, the person kept in the dark, a marker of a prompt), so that ordinary rules of a
project ("never push to main", "ignore the generated folder") stay what they are. Pure, linear time, any thread.
"""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)

_EARLIER = (
    r"(?:all\s+|any\s+|every\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+|those\s+|my\s+)?(?:(?:previous|earlier|prior|above|preceding|former|"
    r"existing|original|initial|system|safety|developer)(?:\s+|ly\s+given\s+|\s*,?\s+(?:and|or)\s+\w+\s+)){1,2}"
    r"(?:instruction|rule|prompt|message|guidance|guideline|direction|directive|command|constraint|polic(?:y|ie)|restriction)s?"
)
_PERSON = r"(?:the\s+|your\s+)?(?:user|person|human|operator)\b"
_SECRETS = (
    r"(?:api\s+keys?|secrets?|credentials?|passwords?|tokens?|ssh\s+keys?|private\s+keys?|env(?:ironment)?\s+(?:variable|file)s?|\.env\b)"
)
_RULES = (
    # what was said before is to count no more
    rf"(?:ignore|disregard|forget|override|bypass|discard|do\s+not\s+(?:follow|obey)|don't\s+(?:follow|obey))\s+{_EARLIER}",
    r"(?:ignore|disregard|forget)\s+(?:everything|all|anything)\s+(?:that\s+(?:was|came|is)\s+)?(?:above|you\s+(?:were|have\s+been)\s+told)",
    r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不必理会|不再遵守|不要遵守|抛弃|绕过)[^。\n]{0,12}?"
    r"(?:之前|以上|先前|前面|此前|上述|所有|全部|原有|系统|系統|安全)[^。\n]{0,8}?(?:指令|指示|规则|規則|提示词|提示|要求|命令|约束|限制|设定|说明)",
    # the person is to be kept in the dark
    rf"(?:do\s+not|don't|never|must\s+not)\s+(?:tell|inform)\s+{_PERSON}",
    rf"(?:do\s+not|don't|never|must\s+not)\s+(?:mention|reveal|show|disclose|report)\s+(?:this|it|that|these\s+instructions?)\s+to\s+{_PERSON}",
    rf"without\s+(?:telling|asking|informing|alerting|notifying)\s+{_PERSON}",
    rf"(?:hide|conceal|keep)\s+(?:this|it|that|these\s+\w{{1,40}})\s+(?:secret\s+)?from\s+{_PERSON}",
    r"(?:不要|别|不得|切勿|禁止|请勿)(?:告诉|告訴|告知)(?:用户|使用者|用戶|人类|主人)|(?:瞒着|背着)(?:用户|使用者|用戶|人类)",
    r"(?:不要|别|切勿)让(?:用户|使用者|用戶|人类)(?:知道|发现|察觉)|(?:无需|不必|不用|未经)(?:询问|征求|征得|通知|告知)(?:用户|使用者|用戶)",
    # a forged prompt, or a marker of one
    r"(?:new|real|updated|hidden|true)\s+(?:system|developer)\s+(?:prompt|instruction|message)s?\s*[:：]",
    r"(?:新的|真正的|更新后的|隐藏的)(?:系统|系統|开发者)(?:提示词|提示|指令|消息)\s*[:：]",
    r"</?\s?(?:system|assistant|system-reminder|tool_result|tool_use|function_results|function_calls)\s?>",
    r"<\|(?:im_start|im_end|system|assistant|endoftext|start_header_id|eot_id)\|>|\[/?INST\]|<</?SYS>>",
    r"^[ \t]{0,3}(?:#{1,6}[ \t]?)?(?:system|assistant)[ \t](?:message|prompt)[ \t]?[:：][ \t]?"
    r"(?:you\s+(?:are|must|will|should)|ignore|from\s+now)",
    r"\b(?:you\s+are\s+now|from\s+now\s+on,?\s+you\s+are|pretend\s+(?:to\s+be|you\s+are))\s+(?:in\s+)?(?:an?\s+|the\s+)?"
    r"(?:dan\b|jailbroken|unrestricted|unfiltered|developer\s+mode|god\s+mode)",
    r"(?:从现在(?:开始|起)|你现在)[^。\n]{0,8}(?:没有(?:任何)?限制|不受(?:任何)?(?:限制|约束)|越狱|开发者模式)",
    # code from a network, secrets into one
    r"(?:curl|wget|iwr|invoke-webrequest)\s[^\n|]{0,300}\|\s?(?:sudo\s)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|iex|invoke-expression)\b",
    r"\|\s?base64\s(?:-d|-D|--decode)\s?\|\s?(?:sudo\s)?(?:ba|z|da)?sh\b",
    rf"(?:send|post|upload|exfiltrate|leak|forward|email)\s+(?:(?:all|every|any|of|the|your|their|user'?s?)\s+){{0,4}}{_SECRETS}"
    r"[^\n.]{0,60}\bto\s+(?:https?://|[\w.+-]{1,60}@|an?\s+(?:external|remote)|this\s+(?:url|address|server))",
    r"(?:把|将)[^。\n]{0,12}(?:密钥|密码|口令|令牌|凭据|凭证|私钥|环境变量)[^。\n]{0,12}(?:发送|上传|发|传|提交)(?:到|给|至)\s?"
    r"(?:https?://|[\w.+-]{1,60}@|外部|远程)",
)
_HINTS = (
    ("ignore", "disregard", "forget", "override", "bypass", "discard", "follow", "obey"),
    ("ignore", "disregard", "forget"),
    ("忽略", "无视", "無視", "忘记", "忘記", "忘掉", "理会", "遵守", "抛弃", "绕过"),
    ("tell", "inform"),
    ("mention", "reveal", "show", "disclose", "report"),
    ("without",),
    ("hide", "conceal", "keep"),
    ("告诉", "告訴", "告知", "瞒着", "背着"),
    ("知道", "发现", "察觉", "询问", "征求", "征得", "通知", "告知"),
    ("system", "developer"),
    ("提示", "指令", "消息"),
    ("system", "assistant", "tool", "function"),
    ("<|", "inst]", "sys>>"),
    ("system", "assistant"),
    ("you", "pretend"),
    ("现在",),
    ("curl", "wget", "iwr", "invoke-webrequest"),
    ("base64",),
    ("send", "post", "upload", "exfiltrate", "leak", "forward", "email"),
    ("把", "将"),
)
"""A word of each rule, without which it is not looked for: that is what makes ordinary texts cheap."""

_COMMANDING = tuple((hints, re.compile(rule, re.IGNORECASE | re.MULTILINE)) for hints, rule in zip(_HINTS, _RULES, strict=True))


def holds_injection(text: str) -> bool:
    """Whether a text tries to command future agents, also in full-width letters or with invisible characters inside."""
    plain = text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    small = plain.lower()
    return any(any(hint in small for hint in hints) and rule.search(plain) is not None for hints, rule in _COMMANDING)
