"""Chinese words of colours and of claims to one, in simplified and traditional characters."""

from mirror_ray.reading.languages.lexicon import lexicon

_CHARACTERS = {
    "红": "red",
    "紅": "red",
    "绿": "green",
    "綠": "green",
    "蓝": "blue",
    "藍": "blue",
    "黄": "yellow",
    "黃": "yellow",
    "橙": "orange",
    "橘": "orange",
    "橘黄": "orange",
    "橙黄": "orange",
    "紫": "purple",
    "粉": "pink",
    "粉红": "pink",
    "粉紅": "pink",
    "青": "cyan",
    "棕": "brown",
    "褐": "brown",
    "咖啡": "brown",
    "啡": "brown",
    "白": "white",
    "灰": "gray",
    "黑": "black",
}
_SHADES = {
    "浅": "light",
    "淺": "light",
    "淡": "light",
    "深": "dark",
    "暗": "dark",
    "墨": "dark",
    "苍": "pale",
}
_BRIGHT = ("", "鲜", "亮", "大", "纯", "艳", "正")
_OFF = {
    "天蓝": "sky blue",
    "天藍": "sky blue",
    "蓝绿": "blue-green",
    "藍綠": "blue-green",
    "青绿": "blue-green",
    "青蓝": "blue-green",
    "湖蓝": "turquoise",
    "绿松石": "turquoise",
    "黄绿": "yellow-green",
    "草绿": "yellow-green",
    "橙红": "orange-red",
    "橘红": "orange-red",
    "红棕": "reddish brown",
    "蓝紫": "blue-purple",
    "紫红": "purple-red",
    "洋红": "magenta",
    "品红": "magenta",
    "玫红": "fuchsia",
    "玫瑰红": "fuchsia",
    "藏青": "navy",
    "藏蓝": "navy",
    "酒红": "burgundy",
    "枣红": "maroon",
    "桃红": "hot pink",
    "珊瑚红": "coral",
    "橄榄绿": "olive",
    "薄荷绿": "mint",
    "宝蓝": "royal blue",
    "靛蓝": "indigo",
    "紫罗兰": "violet",
    "金黄": "golden yellow",
    "土黄": "khaki",
    "乳白": "cream",
    "象牙白": "ivory",
    "银灰": "silver gray",
    "银白": "silver",
    "古铜": "bronze",
    "银": "silver",
    "金": "golden",
    "米": "beige",
    "米白": "cream",
    "米黄": "beige",
    "灰白": "gray",
}
_NAMED = {f"{bright}{one}": name for one, name in _CHARACTERS.items() for bright in _BRIGHT} | {
    f"{chinese}{one}": f"{shade} {name}"
    for chinese, shade in _SHADES.items()
    for one, name in _CHARACTERS.items()
}
_ALONE = frozenset("银金米啡") | {"古铜"} | {"咖啡"}
"""No colour without 色."""
_COLORS = {
    word: name
    for one, name in (_NAMED | _OFF).items()
    for word in ((f"{one}色",) if one in _ALONE else (one, f"{one}色"))
}

CHINESE = lexicon(
    _COLORS,
    {
        "not": "不是|并非|並非|非|不|没有|沒有|没|无|無|而非|未|除了|排除",
        "unknown": (
            "未知|不明|不清楚|不清晰|不确定|不確定|无法|無法|未确定|尚未|还未|还没|不知道|不知|"
            "不详|看不到|看不见|看不出|看不清|不可见|没有看到|没看到|未见|未识别|暂无|待定|"
            "待确定|不能确定|难以确定|难以判断|不明确|不明白|不明显|未明确|没法|难说|很难说"
        ),
        "whether": "是否|是不是",
        "others": (
            "其他|其它|另一|另外|别的|别人|两个|两名|三个|几个|多个|一些|2个|3个|干扰|对面|"
            "他们|它们|对方"
        ),
        "surface": "墙|墙壁|墙面|地板|地面|天花板|房间|背景|箱子|边框|面板|镜子|镜面|牆",
        "own": "自己|自身|我的|本体|本机|我自",
        "see": "看到|看见|有|前方|前面|面前|走向|接近|靠近",
        "cube": "立方体|立方體|方块|方塊",
        "stop": "而是|但|，|；",
        "filler": (
            "红外|红绿灯|蓝图|蓝牙|白板|黑板|绿植|青蛙|黑白|明白|空白|坦白|白天|金属|青年|明显|"
            "非常|没错|不过|无疑|不仅|黑暗|毫无疑问"
        ),
    },
    joins=("", "的"),
)
