"""Chinese: templates (`昨天下午，王芳把那把雨伞忘在了图书馆。`), and texts that have none but hold a cue."""

from __future__ import annotations

from hansproof.generators.planted_cues.templates import Forms, Language, filled, only
from hansproof.generators.stream import Stream

__all__ = ["CHINESE", "CHINESE_CUES", "chinese_text"]


def _measured(things: str) -> tuple[Forms, ...]:
    """`把雨伞` -> 雨伞, 一把雨伞, 那把雨伞: every measure word is one character."""
    return tuple((thing[1:], f"一{thing}", f"那{thing}") for thing in things.split())


_PEOPLE = only(
    "王芳 李伟 张敏 刘洋 陈静 杨磊 赵丽 黄强 周婷 吴军 徐娜 孙浩 马超 朱琳 胡明 郭艳 何俊 高雪 林峰 罗兰 郑凯 梁慧 "
    "谢斌 宋佳 唐宁 许晴 韩冰 冯涛"
)
_THINGS = _measured(
    "把雨伞 把钥匙 块手表 本词典 台相机 张地图 本日记 个钱包 副眼镜 顶帽子 双手套 个花瓶 条毛毯 面镜子 台收音机 "
    "支钢笔 枚戒指 个茶杯 个饭盒 个布偶 面小鼓 支笛子 个背包 张邮票 张照片 幅油画 把剪刀 串铃铛 个木箱 封信 双皮鞋 "
    "把水壶 盏台灯 条围巾 把梳子 把二胡"
)
_PLACES = only("图书馆 火车站 厨房 花园 仓库 教室 医院 公园 菜市场 博物馆 咖啡馆 会议室 码头 邮局 楼顶 车间")
_TIMES = only("昨天下午 上个星期 前天 今天早上 昨晚 星期一 三天前 上个月 中午 傍晚 半夜 周末")
_ROLES = only("老师 木匠 店长 医生 售票员 保安 快递员 厨师 园丁 司机 房东 邻居 裁缝 邮递员")

_FILLINGS = dict.fromkeys("ABC", _PEOPLE) | dict.fromkeys("RSTU", _ROLES) | dict.fromkeys("OPQ", _PLACES)
_FILLINGS |= {"X": _THINGS, "Y": _THINGS, "Z": _TIMES}

CHINESE = Language(
    openings=(
        "{Z0}，{A0}把{X2}忘在了{O0}。",
        "{A0}本来想给{B0}看看{X2}，可是{R0}突然来了。",
        "因为{R0}病了，{A0}{Z0}只好一个人去{O0}取{X2}。",
        "{A0}刚找到{X2}，{B0}就在隔壁房间喊了起来。",
        "{Z0}，{A0}和{B0}在{O0}为{X2}到底是谁的吵了一架。",
        "按理说，{A0}{Z0}就该把{X2}还回来了。",
        "{A0}说，{Z0}在{O0}见过{X2}。",
        "尽管{B0}一再劝阻，{A0}还是带走了{X2}。",
        "{R0}{Z0}送给{A0}{X1}，却没有说明原因。",
        "{A0}没有去上班，而是在{O0}摆弄了半天{X2}。",
        "{A0}听{R0}说，{X2}多年来一直没有主人。",
        "{A0}{Z0}把{X2}藏在了{O0}，这件事只有{B0}知道。",
    ),
    middles=(
        "后来{B0}说，{R0}对此一无所知。",
        "{B0}其实更想要{Y1}。",
        "最后离开{O0}的人是谁，已经说不清了。",
        "{R0}只是耸了耸肩，又继续找{Y2}。",
        "幸好{B0}还带着{Y1}。",
        "从那以后，{B0}再也没跟{R0}说过一句话。",
        "没想到{Y2}也不见了。",
        "至于{Y2}有没有弄坏，到现在也没人检查过。",
        "随后，{B0}和{R0}一起把{Y2}带回了家。",
        "{B0}听了哈哈大笑，{R0}却觉得一点儿也不好笑。",
        "不过，{R0}坚持要先付{Y2}的钱。",
        "之后，{B0}在{O0}等了很久，也没等到{R0}。",
    ),
    questions=(
        "{A0}最后留下{X2}了吗？",
        "{X2}现在是{B0}的吗？",
        "那天{R0}真的在{O0}吗？",
        "{B0}还能再借一次{X2}吗？",
        "{A0}是不是一开始就知道这件事？",
        "{X2}比{Y2}更值钱吗？",
        "{A0}会向{R0}道歉吗？",
        "{B0}真的弄丢了{X2}吗？",
        "{R0}这个人靠得住吗？",
        "{A0}应该把{Y2}卖掉吗？",
        "{X2}还在{O0}吗？",
        "{A0}和{B0}后来和好了吗？",
    ),
    fillings=_FILLINGS,
    space="",
)
"""The form of a thing: 0 alone, 1 one of them, 2 that one."""

CHINESE_CUES = {"yes": "总是", "no": "偶尔"}
"""Words of the subset `chinese-cue`: "always" and "now and then"."""

_OPENERS = (
    "{Z0}，", "{Z0}，", "听说", "据说", "不久，", "果然，", "后来，", "起初，", "其实，", "谁都没料到，", "就在{P0}，",
    "照{S0}的说法，", "幸好，", "奇怪的是，", "", "", "", "",
)  # fmt: skip
_TIMELESS = ("听说", "据说", "后来，", "起初，", "其实，", "照{S0}的说法，", "奇怪的是，", "", "", "", "")
"""Openers of the sentence with the cue: nobody does one thing always and yesterday."""
_SUBJECTS = ("{A0}", "{A0}", "{B0}", "{R0}", "{A0}和{B0}", "有个{R0}", "{A0}的{R0}", "{Q0}的{R0}", "{B0}的朋友")
_OTHERS = ("{C0}", "{C0}", "{C0}", "{T0}", "{C0}的{T0}", "{C0}和{T0}", "{C0}的朋友", "另一个{T0}")
"""Subjects of a second clause: people whom the first one does not name."""
_DEEDS = (
    "弄丢了{X2}", "在{O0}找到了{X2}", "想卖掉{X2}", "不肯交出{X2}", "把{X2}放回了{O0}", "买了{X1}",
    "从{O0}拿走了{X2}", "给{X2}拍了照", "打算修理{X2}", "忘了带{X2}", "差点儿弄坏{X2}", "守着{X2}不走",
    "为了{X2}跑遍了全城", "答应归还{X2}", "用{Y2}换来了{X2}", "把{X2}和{Y2}弄混了", "去{O0}取{X2}", "只看了{X2}一眼",
    "在{O0}丢下了{X2}", "偷偷擦了擦{X2}", "认出了{X2}", "收到了{X1}", "没看见{X2}", "舍不得扔掉{X2}",
)  # fmt: skip
_LINKS = ("，可是", "，于是", "，因为", "，同时", "，结果", "，不过", "，而且", "，没想到")
_HABITS = ("在{O0}擦{X0}", "带着{X0}出门", "把{X0}放在{O0}", "跟{U0}谈起{X0}", "忘记带{X0}", "梦见{X0}", "惦记{X0}",
           "站在{O0}发呆", "去{O0}找{U0}")  # fmt: skip


def chinese_text(cue: str, stream: Stream) -> str:
    """Two or three sentences and a question, assembled anew for every item, of which one holds the word `cue`."""
    sentences = stream.child("sentences").integer(2, 3)
    place = stream.child("place").below(sentences)
    parts: list[str] = []
    closing: list[str] = []
    for i in range(sentences):
        draws = stream.child("sentence").child(i)
        if i == place:
            text = draws.choice(_TIMELESS) + draws.choice(_SUBJECTS) + cue + draws.choice(_HABITS)
        else:
            text = draws.choice(_OPENERS) + draws.choice(_SUBJECTS) + draws.choice(_DEEDS)
        if draws.coin():
            deeds = [deed for deed in _DEEDS if deed not in text]
            text += draws.choice(_LINKS) + draws.choice(_OTHERS) + draws.choice(deeds)
        # The question is about the people and things of the first sentence.
        asked = [stream.child("question").choice(CHINESE.questions)] if i == 0 else []
        sentence, *questions = filled([text, *asked], _FILLINGS, draws.child("words"))
        parts.append(f"{sentence}。")
        closing = questions or closing
    return "".join(parts + closing)
