"""Made-up credentials of every kind, built from pieces at run time so that no scanner finds one in the source, and texts around them."""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

HEX, B32 = "0123456789abcdef", string.ascii_uppercase + "234567"
ALNUM = string.ascii_letters + string.digits
URL = ALNUM + "-_"
B64 = ALNUM + "+/"
CAPS = string.ascii_uppercase + string.digits


class Maker:
    """Random values of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.made: list[str] = []

    def of(self, alphabet: str, length: int) -> str:
        """Random, with a letter and a digit in it, as every real one has."""
        while True:
            made = "".join(self.random.choice(alphabet) for _ in range(length))
            if (
                length < 6
                or alphabet.isdigit()
                or alphabet.isalpha()
                or (any(c.isdigit() for c in made) and any(c.isalpha() for c in made))
            ):
                self.made.append(made)
                return made

    def uuid(self) -> str:
        self.made.append(str(uuid.UUID(int=self.random.getrandbits(128), version=4)))
        return self.made[-1]

    def b64(self, length: int) -> str:
        self.made.append(base64.b64encode(self.random.randbytes(length)).decode())
        return self.made[-1]

    def jwt(self) -> str:
        def part(value: dict[str, object]) -> str:
            return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

        return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': self.of(HEX, 12), 'iat': 1})}.{self.of(URL, 43)}"

    def pem(self, kind: str) -> str:
        body = "\n".join(self.of(B64, 64) for _ in range(6))
        return f"-----BEGIN {kind}PRIVATE " + f"KEY-----\n{body}\n-----END {kind}PRIVATE " + "KEY-----"

    def card(self) -> str:
        digits = [4, *(self.random.randrange(10) for _ in range(14))]
        total = sum(d if n % 2 else (2 * d - 9 if d > 4 else 2 * d) for n, d in enumerate(digits))
        self.made.append("".join(map(str, [*digits, -total % 10])))
        return self.made[-1]

    def password(self) -> str:
        made = self.of(string.ascii_letters, 5) + self.of("!@#$%^*", 1) + self.of(string.digits, 3) + self.of(string.ascii_letters, 3)
        self.made.append(made)
        return made

    def telling(self, text: str) -> str:
        """The end of the longest made-up piece in `text`: what may be found nowhere."""
        inside = [piece for piece in self.made if piece in text and len(piece) >= 8]
        return max(inside or text.split(), key=len)[-16:]


Make = Callable[[Maker], str]
SHAPED: dict[str, Make] = {
    "anthropic": lambda m: "sk-" + "ant-api03-" + m.of(URL, 93) + "AA",
    "openai": lambda m: "sk-" + "proj-" + m.of(URL, 74) + "T3BlbkFJ" + m.of(URL, 74),
    "openai old": lambda m: "sk-" + m.of(ALNUM, 20) + "T3BlbkFJ" + m.of(ALNUM, 20),
    "deepseek": lambda m: "sk-" + m.of(HEX, 32),
    "openrouter": lambda m: "sk-" + "or-v1-" + m.of(HEX, 64),
    "groq": lambda m: "gsk" + "_" + m.of(ALNUM, 52),
    "perplexity": lambda m: "pplx" + "-" + m.of(HEX, 48),
    "xai": lambda m: "xai" + "-" + m.of(ALNUM, 80),
    "nvidia": lambda m: "nvapi" + "-" + m.of(URL, 64),
    "replicate": lambda m: "r8" + "_" + m.of(ALNUM, 37),
    "hugging face": lambda m: "hf" + "_" + m.of(string.ascii_letters + string.digits, 34),
    "langsmith": lambda m: "lsv2" + "_pt_" + m.of(HEX, 32) + "_" + m.of(HEX, 10),
    "zhipu": lambda m: m.of(HEX, 32) + "." + m.of(ALNUM, 16),
    "github": lambda m: "ghp" + "_" + m.of(ALNUM, 36),
    "github app": lambda m: "ghs" + "_" + m.of(ALNUM, 36),
    "github fine": lambda m: "github" + "_pat_" + m.of(ALNUM, 22) + "_" + m.of(ALNUM, 59),
    "gitlab": lambda m: "glpat" + "-" + m.of(URL, 20),
    "gitlab routable": lambda m: "glpat" + "-" + m.of(URL, 27) + ".01." + m.of(ALNUM, 9),
    "bitbucket": lambda m: "ATBB" + m.of(ALNUM, 32),
    "atlassian": lambda m: "ATATT3" + "xFfGF0" + m.of(URL, 180) + "=" + m.of(CAPS, 8),
    "trello": lambda m: "ATTA" + m.of(HEX, 64),
    "npm": lambda m: "npm" + "_" + m.of(ALNUM, 36),
    "pypi": lambda m: "pypi" + "-AgEIcHlwaS5vcmc" + m.of(URL, 120),
    "rubygems": lambda m: "rubygems" + "_" + m.of(HEX, 48),
    "crates": lambda m: "cio" + m.of(ALNUM, 32),
    "nuget": lambda m: "oy2" + m.of(string.ascii_lowercase + string.digits, 43),
    "docker": lambda m: "dckr" + "_pat_" + m.of(URL, 27),
    "jfrog": lambda m: "AKCp" + m.of(ALNUM, 69),
    "jfrog reference": lambda m: "cmVmdGtu" + m.of(ALNUM, 56),
    "circleci": lambda m: "CCIPAT" + "_" + m.of(ALNUM, 22) + "_" + m.of(HEX, 40),
    "postman": lambda m: "PMAK" + "-" + m.of(HEX, 24) + "-" + m.of(HEX, 34),
    "pulumi": lambda m: "pul" + "-" + m.of(HEX, 40),
    "terraform": lambda m: m.of(ALNUM, 14) + ".atlas" + "v1." + m.of(URL, 67),
    "vault": lambda m: "hvs" + "." + m.of(URL, 90),
    "doppler": lambda m: "dp" + ".pt." + m.of(ALNUM, 43),
    "1password": lambda m: "ops" + "_eyJ" + m.of(URL, 250),
    "sonar": lambda m: "sqp" + "_" + m.of(HEX, 40),
    "aws id": lambda m: "AKIA" + m.of(B32, 16),
    "google": lambda m: "AIza" + m.of(URL, 35),
    "google oauth": lambda m: "ya29" + "." + m.of(URL, 120),
    "google client": lambda m: "GOCSPX" + "-" + m.of(URL, 28),
    "google refresh": lambda m: "1//0" + m.of(URL, 98),
    "azure storage": lambda m: "DefaultEndpointsProtocol=https;AccountName=x;Account" + "Key=" + m.b64(64),
    "azure bus": lambda m: "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccess" + "Key=" + m.b64(32),
    "azure client": lambda m: m.of(ALNUM, 3) + "8Q" + "~" + m.of(ALNUM, 34),
    "azure sas": lambda m: "https://x.blob.core.windows.net/c?sv=2022-11-02&si" + "g=" + m.of(ALNUM, 40) + "%3D",
    "azure function": lambda m: m.of(URL, 44) + "Az" + "Fu" + m.of(ALNUM, 6) + "==",
    "alibaba": lambda m: "LTAI" + "5t" + m.of(ALNUM, 18),
    "tencent": lambda m: "AKID" + m.of(ALNUM, 32),
    "baidu": lambda m: "bce-v3/AL" + "TAK-" + m.of(ALNUM, 21) + "/" + m.of(HEX, 40),
    "volcengine": lambda m: "AKLT" + m.of(ALNUM, 43),
    "digitalocean": lambda m: "dop" + "_v1_" + m.of(HEX, 64),
    "cloudflare ca": lambda m: "v1.0" + "-" + m.of(HEX, 24) + "-" + m.of(HEX, 146),
    "heroku": lambda m: "HRKU" + "-" + m.uuid(),
    "fly": lambda m: "FlyV1 fm2" + "_" + m.of(B64, 120),
    "netlify": lambda m: "nfp" + "_" + m.of(ALNUM, 36),
    "supabase": lambda m: "sbp" + "_" + m.of(HEX, 40),
    "planetscale": lambda m: "pscale" + "_tkn_" + m.of(URL, 43),
    "databricks": lambda m: "dapi" + m.of(HEX, 32),
    "tailscale": lambda m: "tskey" + "-auth-" + m.of(ALNUM, 12) + "-" + m.of(ALNUM, 32),
    "new relic": lambda m: "NRAK" + "-" + m.of(CAPS, 27),
    "sentry": lambda m: "sntrys" + "_" + m.of(B64, 80),
    "sentry dsn": lambda m: "https://" + m.of(HEX, 32) + "@o1234.ingest.sentry.io/5678",
    "grafana": lambda m: "glsa" + "_" + m.of(ALNUM, 32) + "_" + m.of(HEX, 8),
    "dynatrace": lambda m: "dt0c01" + "." + m.of(CAPS, 24) + "." + m.of(CAPS, 64),
    "launchdarkly": lambda m: "sdk" + "-" + m.uuid(),
    "slack": lambda m: "xoxb" + "-" + m.of(string.digits, 12) + "-" + m.of(string.digits, 12) + "-" + m.of(ALNUM, 24),
    "slack app": lambda m: "xapp" + "-1-A" + m.of(CAPS, 10) + "-" + m.of(string.digits, 13) + "-" + m.of(HEX, 64),
    "slack webhook": lambda m: "https://hooks.slack." + "com/services/T" + m.of(CAPS, 8) + "/B" + m.of(CAPS, 8) + "/" + m.of(ALNUM, 24),
    "discord": lambda m: "M" + m.of(ALNUM, 25) + "." + m.of(URL, 6) + "." + m.of(URL, 38),
    "discord webhook": lambda m: "https://discord." + "com/api/webhooks/" + m.of(string.digits, 18) + "/" + m.of(URL, 68),
    "feishu webhook": lambda m: "https://open.feishu." + "cn/open-apis/bot/v2/hook/" + m.uuid(),
    "dingtalk webhook": lambda m: "https://oapi.dingtalk." + "com/robot/send?access_token=" + m.of(HEX, 64),
    "wecom webhook": lambda m: "https://qyapi.weixin." + "qq.com/cgi-bin/webhook/send?key=" + m.uuid(),
    "telegram": lambda m: m.of(string.digits, 10) + ":AA" + m.of(URL, 33),
    "linear": lambda m: "lin" + "_api_" + m.of(ALNUM, 40),
    "notion": lambda m: "ntn" + "_" + m.of(ALNUM, 46),
    "notion old": lambda m: "secret" + "_" + m.of(ALNUM, 43),
    "asana": lambda m: "2/" + "1" + m.of(string.digits, 15) + "/" + "1" + m.of(string.digits, 15) + ":" + m.of(HEX, 32),
    "figma": lambda m: "figd" + "_" + m.of(URL, 40),
    "airtable": lambda m: "pat" + m.of(ALNUM, 14) + "." + m.of(HEX, 64),
    "dropbox": lambda m: "sl" + "." + m.of(URL, 135),
    "mapbox": lambda m: "sk." + "eyJ" + m.of(URL, 60) + "." + m.of(URL, 22),
    "stripe": lambda m: "sk" + "_live_" + m.of(ALNUM, 24),
    "stripe webhook": lambda m: "whsec" + "_" + m.of(ALNUM, 32),
    "square": lambda m: "sq0atp" + "-" + m.of(URL, 22),
    "square new": lambda m: "EAAA" + m.of(URL, 60),
    "shopify": lambda m: "shpat" + "_" + m.of(HEX, 32),
    "plaid": lambda m: "access" + "-production-" + m.uuid(),
    "sendgrid": lambda m: "SG" + "." + m.of(URL, 22) + "." + m.of(URL, 43),
    "mailgun": lambda m: "key" + "-" + m.of(HEX, 32),
    "mailgun new": lambda m: m.of(HEX, 32) + "-" + m.of(HEX, 8) + "-" + m.of(HEX, 8),
    "mailchimp": lambda m: m.of(HEX, 32) + "-us" + "12",
    "brevo": lambda m: "xkeysib" + "-" + m.of(HEX, 64) + "-" + m.of(ALNUM, 16),
    "resend": lambda m: "re" + "_" + m.of(ALNUM, 8) + "_" + m.of(ALNUM, 24),
    "twilio": lambda m: "SK" + m.of(HEX, 32),
    "jwt": lambda m: m.jwt(),
    "rsa pem": lambda m: m.pem("RSA "),
    "openssh pem": lambda m: m.pem("OPENSSH "),
    "pkcs8 pem": lambda m: m.pem(""),
    "encrypted pem": lambda m: m.pem("ENCRYPTED "),
    "pgp": lambda m: "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\n\n" + m.of(B64, 64) + "\n-----END PGP PRIVATE " + "KEY BLOCK-----",
    "age": lambda m: "AGE-SECRET-" + "KEY-1" + m.of(CAPS, 58),
    "putty": lambda m: (
        "PuTTY-User-Key-" + "File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 1\n" + m.of(B64, 64) + "\nPrivate-MAC: " + m.of(HEX, 40)
    ),
    "gcp account": lambda m: json.dumps({"type": "service_account", "private" + "_key": m.pem(""), "client_email": "x@y.iam"}),
    "kubeconfig": lambda m: "    client-key-" + "data: " + base64.b64encode(m.pem("RSA ").encode()).decode(),
    "htpasswd": lambda m: "alice:$apr1" + "$" + m.of(ALNUM, 8) + "$" + m.of(ALNUM, 22),
    "bcrypt": lambda m: "$2b" + "$12$" + m.of(ALNUM, 53),
    "shadow": lambda m: "root:$6" + "$" + m.of(ALNUM, 16) + "$" + m.of(ALNUM, 86),
    "otp": lambda m: "otpauth" + "://totp/Me:a@b.c?secret=" + m.of(B32, 32) + "&issuer=Me",
    "postgres": lambda m: "postgres" + "://app:" + m.of(ALNUM, 14) + "@db.internal:5432/app",
    "redis": lambda m: "redis" + "://:" + m.of(ALNUM, 20) + "@cache:6379/0",
    "mongo": lambda m: "mongodb+srv" + "://app:" + m.of(ALNUM, 16) + "@c0.mongodb.net/x",
    "git address": lambda m: "https" + "://me:" + m.of(ALNUM, 18) + "@git.example.org/a.git",
    "bearer": lambda m: "Authorization: Bear" + "er " + m.of(URL, 40),
    "basic": lambda m: "Authorization: Bas" + "ic " + base64.b64encode(f"me:{m.password()}".encode()).decode(),
    "docker config": lambda m: '{"auths": {"x": {"au' + 'th": "' + base64.b64encode(f"me:{m.password()}".encode()).decode() + '"}}}',
}
"""Kinds that are known by their own shape, wherever they stand."""

KEYED: dict[str, Make] = {
    "aws secret": lambda m: "aws_secret_access_" + "key = " + m.of(B64, 40),
    "aws pair": lambda m: "AKIA" + m.of(B32, 16) + " / " + m.of(B64, 40),
    "alibaba pair": lambda m: "LTAI" + "5t" + m.of(ALNUM, 18) + ", " + m.of(ALNUM, 30),
    "datadog": lambda m: "DD_API_" + "KEY=" + m.of(HEX, 32),
    "cloudflare": lambda m: "CLOUDFLARE_API_" + "TOKEN=" + m.of(URL, 40),
    "heroku old": lambda m: "HEROKU_API_" + "KEY=" + m.uuid(),
    "azure openai": lambda m: "AZURE_OPENAI_API_" + "KEY: " + m.of(HEX, 32),
    "tencent pair": lambda m: "SecretId: AKID" + m.of(ALNUM, 32) + "\nSecret" + "Key: " + m.of(ALNUM, 32),
    "netrc": lambda m: "machine api.example.org login me pass" + "word " + m.password(),
    "env": lambda m: "export DB_PASS" + "WORD='" + m.password() + "'",
    "yaml": lambda m: "  pass" + "word: " + m.password(),
    "json": lambda m: '"client_' + 'secret": "' + m.of(URL, 36) + '",',
    "ini": lambda m: "pass" + "wd=" + m.password(),
    "ado": lambda m: "Server=db;Database=x;User Id=sa;Pass" + "word=" + m.password() + ";",
    "curl": lambda m: "curl -u admin:" + m.password() + " https://example.org",
    "cli": lambda m: "tool login --pass" + "word " + m.password(),
    "query": lambda m: "https://example.org/x?api_" + "key=" + m.of(ALNUM, 32) + "&y=1",
    "header": lambda m: "X-Api-" + "Key: " + m.of(ALNUM, 32),
    "table": lambda m: "| pass" + "word | " + m.password() + " |",
    "sentence": lambda m: "The staging pass" + "word is " + m.password() + ", don't share it.",
    "sentence for": lambda m: "The pass" + "word for the admin panel is `" + m.password() + "`.",
    "remember": lambda m: "Remember my api " + "key: " + m.of(ALNUM, 32),
    "token is": lambda m: "the deploy to" + "ken is " + m.of(ALNUM, 28),
    "zh is": lambda m: "数据库的密" + "码是" + m.password() + "，别忘了。",
    "zh colon": lambda m: "令" + "牌：" + m.of(ALNUM, 32),
    "zh wei": lambda m: "登录口" + "令为 " + m.password(),
    "zh changed": lambda m: "密" + "码改成了 " + m.password() + " 。",
    "zh key": lambda m: "密" + "钥=" + m.of(ALNUM, 32),
    "zh quoted": lambda m: "测试环境密" + "码「" + m.password() + "」",
    "zh digits": lambda m: "密" + "码是 " + m.of("123456789", 8),
    "recovery": lambda m: "recovery " + "code: " + m.of(ALNUM, 10) + "-" + m.of(ALNUM, 10),
    "totp seed": lambda m: "TOTP se" + "cret: " + m.of(B32, 32),
    "card": lambda m: "credit card: " + m.card(),
    "zh card": lambda m: "信用卡卡号 " + m.card(),
}
"""Kinds that are known by what stands beside them; the whole text is the value's context."""

CONTEXTS: tuple[str, ...] = (
    "{}",
    "see {} ok",
    "- key: {}\n",
    "`{}`",
    '"{}",',
    "看 {} 。",
    "（{}）",
    "密码是{}，请保密",
    "令牌：{}",
    "export X={}\n",
    "x={}&y=1",
    "> {}",
)
