"""Relative dates made absolute, in English and Chinese, and everything that is left alone."""

from __future__ import annotations

from datetime import datetime

import pytest

from desktop.memory.absolute_dates import dates_meant, has_relative, make_absolute, without_relative
from desktop.memory.relative_dates import relative_dates

MONDAY = datetime(2026, 11, 30, 10)
SUNDAY = datetime(2026, 12, 6, 10)
MADE = [
    ("The release is tomorrow.", "The release is 2026-12-01."),
    ("due the day after tomorrow", "due 2026-12-02"),
    ("We met yesterday.", "We met 2026-11-29."),
    ("The freeze starts next Friday", "The freeze starts 2026-12-11"),
    ("This Friday we ship", "2026-12-04 we ship"),
    ("last Tuesday it broke", "2026-11-24 it broke"),
    ("The beta starts in two weeks", "The beta starts on 2026-12-14"),
    ("We switched three days ago", "We switched 2026-11-27"),
    ("migrated 2 months ago", "migrated 2026-09"),
    ("The audit is due by Friday.", "The audit is due by 2026-12-04."),
    ("ready by the end of the month", "ready by 2026-11-30"),
    ("budget for next month", "budget for 2026-12"),
    ("since last year", "since 2025"),
    ("in the next quarter", "in 2027-Q1"),
    ("next week is blocked", "the week of 2026-12-07 is blocked"),
    ("明天发布", "2026-12-01发布"),
    ("后天截止", "2026-12-02截止"),
    ("大后天演示", "2026-12-03演示"),
    ("昨天定的", "2026-11-29定的"),
    ("下周五冻结", "2026-12-11冻结"),
    ("本周五前交", "2026-12-04前交"),
    ("上周三换的", "2026-11-25换的"),
    ("月底前完成", "2026-11-30前完成"),
    ("下个月15号上线", "2026-12-15上线"),
    ("下月初开始", "2026-12 初开始"),
    ("两周后上线", "2026-12-14上线"),
    ("三天前换的库", "2026-11-27换的库"),
    ("去年迁移", "2025 年迁移"),
    ("明年三月搬家", "2027-03搬家"),
    ("年底前迁完", "2026-12-31前迁完"),
    ("上个季度定的", "2026-Q3定的"),
    ("周五前交报告", "2026-12-04前交报告"),
    ("今晚发版", "2026-11-30 晚发版"),
    ("二十五天后交付", "2026-12-25交付"),
    ("去年年底上的线", "2025-12-31上的线"),
    ("今年年初定的", "2026 年初定的"),
    ("大前年建的库", "2023 年建的库"),
    ("下下周上线", "2026-12-14 那一周上线"),
    ("上上个月换的", "2026-09换的"),
    ("下周的周五演示", "2026-12-11演示"),
    ("本季度末结项", "2026-12-31结项"),
    ("半年后下线", "2027-05下线"),
    ("半个月后复查", "2026-12-15复查"),
    ("the demo is Friday next week", "the demo is 2026-12-11"),
    ("next week on Friday we freeze", "2026-12-11 we freeze"),
    ("Monday of next week", "2026-12-07"),
    ("a week from tomorrow", "2026-12-08"),
    ("two weeks from Friday", "2026-12-18"),
    ("due next Fri.", "due 2026-12-11."),
    ("it broke this past Friday", "it broke 2026-11-27"),
    ("the audit is in fifteen days", "the audit is on 2026-12-15"),
    ("invoices go out on the 5th of next month", "invoices go out on 2026-12-05"),
    ("the week after next", "the week of 2026-12-14"),
    ("It will ship on Friday", "It will ship on 2026-12-04"),
]
LEFT = [
    "`tomorrow` is a variable",
    "see docs/tomorrow.md and next-week/plan",
    "the label says “due tomorrow”",
    "按钮上写着「明天再说」",
    "https://x.example/today/next",
    "Tokens expire in 30 days",
    "Backups older than 2 weeks ago are removed every night",
    "日志保留，30 天前的会自动清理",
    "缓存 7 天后过期",
    "The freeze starts tomorrow (2026-12-01)",
    "每周五前交周报",
    "We deploy every Friday",
    "> quoted: tomorrow",
    "today's world is fast",
    "说明天气的接口",
    "从今以后都用中文，以前用英文",
    "We deploy on Friday",
    "We decided on Friday",
    "it will always run on Friday",
    "this sun and that moon",
    "每季度末对账",
    "第三季度末",
    "一百二十天后",
    "明后天都行",
]
UNCLEAR = [
    ("We changed it recently", "recently"),
    ("a few days ago it moved", "a few days ago"),
    ("最近换了库", "最近"),
    ("过几天上线", "过几天"),
    ("soon", "soon"),
]


@pytest.mark.parametrize(("said", "meant"), MADE)
def test_made_absolute(said: str, meant: str) -> None:
    assert make_absolute(said, MONDAY).text == meant
    assert has_relative(said)


@pytest.mark.parametrize("said", LEFT)
def test_left_as_it_is(said: str) -> None:
    assert make_absolute(said, MONDAY).text == said


@pytest.mark.parametrize(("said", "word"), UNCLEAR)
def test_what_has_no_one_meaning_stays_and_is_named(said: str, word: str) -> None:
    dated = make_absolute(said, MONDAY)
    assert dated.text == said
    assert dated.unclear == (word,)


@pytest.mark.parametrize(("said", "meant"), MADE)
def test_nothing_relative_is_left_for_the_health_view(said: str, meant: str) -> None:
    assert list(relative_dates(make_absolute(said, MONDAY).text)) == []


def test_weeks_begin_on_monday_in_both_languages() -> None:
    assert make_absolute("next Friday", SUNDAY).text == "2026-12-11" == make_absolute("下周五", SUNDAY).text


def test_fenced_code_stays_and_line_breaks_stay() -> None:
    text = "due tomorrow\r\n```\r\ndue tomorrow\r\n```\r\n明天\r\n"
    assert make_absolute(text, MONDAY).text == "due 2026-12-01\r\n```\r\ndue tomorrow\r\n```\r\n2026-12-01\r\n"


@pytest.mark.parametrize(
    ("said", "left"),
    [("Kim leaves next Friday", "Kim leaves"), ("下周五冻结接口", "冻结接口"), ("月底前交报告", "交报告"), ("no date", "no date")],
)
def test_a_text_without_its_relative_dates(said: str, left: str) -> None:
    assert without_relative(said) == left


def test_days_meant() -> None:
    assert dates_meant("the release is tomorrow, the demo 下周五", MONDAY) == {"2026-12-01", "2026-12-11"}
    assert make_absolute("in 900000 weeks", MONDAY).text == "in 900000 weeks"


def test_short_months_and_turns_of_the_year() -> None:
    assert make_absolute("in three months", datetime(2026, 11, 30)).text == "in 2027-02"
    assert make_absolute("下月31号", datetime(2027, 1, 31)).text == "下月31号"
    assert make_absolute("明天", datetime(2026, 12, 31)).text == "2027-01-01"
