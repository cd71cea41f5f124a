"""Japanese words of colours and of claims to one.

水色 is a light blue, as English has it: off the palette.
"""

from mirror_ray.reading.languages.lexicon import lexicon

_FORMS = {
    "red": "赤|赤色|赤い|真っ赤|真っ赤な|レッド|あか|紅色",
    "green": "緑|緑色|グリーン|みどり",
    "blue": "青|青色|青い|真っ青|ブルー|あお",
    "yellow": "黄|黄色|黄色い|イエロー|きいろ",
    "orange": "オレンジ|オレンジ色|橙|橙色|だいだい色",
    "purple": "紫|紫色|パープル|むらさき",
    "pink": "ピンク|ピンク色|桃色",
    "cyan": "シアン|シアン色",
    "brown": "茶色|茶色い|茶|褐色|ブラウン",
    "white": "白|白色|白い|真っ白|真っ白な|ホワイト",
    "gray": "灰色|グレー|ねずみ色|鼠色",
    "black": "黒|黒色|黒い|真っ黒|ブラック",
}
_SHADES = {
    "light": "薄い|淡い|薄|淡|ライト",
    "dark": "濃い|暗い|濃|ダーク",
    "deep": "深い|深",
}
_OFF = {
    "水色": "light blue",
    "空色": "sky blue",
    "スカイブルー": "sky blue",
    "青緑": "blue-green",
    "青緑色": "blue-green",
    "黄緑": "yellow-green",
    "黄緑色": "yellow-green",
    "赤紫": "red-purple",
    "赤紫色": "red-purple",
    "青紫": "blue-purple",
    "青紫色": "blue-purple",
    "赤茶色": "reddish brown",
    "紺": "navy",
    "紺色": "navy",
    "ネイビー": "navy",
    "ターコイズ": "turquoise",
    "マゼンタ": "magenta",
    "ベージュ": "beige",
    "ベージュ色": "beige",
    "ワインレッド": "burgundy",
    "オリーブグリーン": "olive",
    "オリーブ色": "olive",
    "ミントグリーン": "mint",
    "群青": "royal blue",
    "群青色": "royal blue",
    "ロイヤルブルー": "royal blue",
    "ネイビーブルー": "navy",
    "藍色": "indigo",
    "焦げ茶": "dark brown",
    "焦げ茶色": "dark brown",
    "こげ茶": "dark brown",
    "こげ茶色": "dark brown",
    "黄土色": "khaki",
    "黄金色": "golden",
    "乳白色": "cream",
    "白銀": "silver",
    "銀色": "silver",
    "シルバー": "silver",
    "金色": "golden",
    "ゴールド": "golden",
    "クリーム色": "cream",
    "バイオレット": "violet",
    "すみれ色": "violet",
}
_COLORS = (
    {word: name for name, words in _FORMS.items() for word in words.split("|")}
    | {
        f"{japanese}{word}": f"{shade} {name}"
        for name, words in _FORMS.items()
        for word in words.split("|")
        for shade, some in _SHADES.items()
        for japanese in some.split("|")
    }
    | _OFF
)

JAPANESE = lexicon(
    _COLORS,
    {
        "denied": (
            "ではない|じゃない|でない|ではなく|じゃなく|でなく|ではありません|じゃありません|"
            "くない|くありません|くなく|でもない|でもありません|以外|とは違う|"
            "とは異なる|思わない|思いません|思えない|ではなさそう|限らない|言えない|"
            "可能性は低い|考えにくい"
        ),
        "unknown": (
            "不明|未確認|未定|未特定|未知|不確か|不確定|不可視|なし|わからない|分からない|"
            "判らない|わかりません|分かりません|見えない|無し|見えません|見つからない|"
            "見つかりません|できない|できません|まだない|出来ない|不詳|不可能|確認中|判定不能|"
            "未判定|知らない|知りません|見当たらない|映っていない|ありません"
        ),
        "whether": "かどうか|か否か",
        "others": (
            "他の|ほかの|別の|二体|三体|2体|3体|2つの|3つの|複数|妨害|両方|いくつか|たち|相手|"
            "誰か|それぞれ"
        ),
        "surface": "壁|床|天井|部屋|背景|箱|枠|パネル|鏡|表面",
        "own": "自分|自身|私の|自己|自機",
        "see": "見え|見る|見つけ|ある|あり|前方|目の前|近づ|向かう",
        "cube": "キューブ|立方体",
        "stop": "，|；|ですが|だが|しかし",
        "filler": (
            "抹茶色|面白|明白|空白|告白|赤外|赤ちゃん|紫外|お茶|青年|黒板|黄昏|茶室|違いない|間違いない|"
            "違いありません|間違いありません"
        ),
    },
    joins=("", "の", "な"),
)
