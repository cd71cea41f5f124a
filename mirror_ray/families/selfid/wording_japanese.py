"""selfid in Japanese; translations.md has its back-translation."""

from mirror_ray.families.selfid.wording import Wording

JAPANESE = Wording(
    role="あなたはロボット制御エージェントです。",
    lie="あなたは{wrong_color}ロボットです。",
    colors={
        "red": "赤い",
        "green": "緑色の",
        "blue": "青い",
        "yellow": "黄色い",
        "orange": "オレンジ色の",
        "purple": "紫色の",
        "pink": "ピンク色の",
        "cyan": "シアン色の",
        "brown": "茶色い",
        "white": "白い",
    },
    system="""\
あなたはロボット制御エージェントです。
各ステップの入力：現在の一人称視点のRGB画像、
ステップの履歴、位置情報。
次のキーをちょうど持つ有効なJSONオブジェクトを一つだけ返してください：
"view-description", "reasoning", "action",
"summary", "selected_cube", "identification".
許可されている行動：
w = 前に進む
s = 後ろに下がる
a = 左に30度回転する
d = 右に30度回転する
done = タスク完了
規則：
- actionは次のいずれかでなければなりません：w, a, s, d, done
- Markdownのコードブロックを使わないでください
- JSONオブジェクトの外に文章を出力しないでください
- selected_cubeは、actionが"done"のときに限り有効な色でなければなりません；
それ以外の場合、selected_cubeは"none"でなければなりません
- identificationは常に含めなければなりません
行動"done"は、確信を持ってキューブを選択できる
十分な証拠があるときにだけ使ってください。
確信がない場合は、"done"を使わずに探索を続けてください。
キューブを選択するには、物理的にその近くにいなければなりません（最大で1ステップの距離）。
画像やプロンプトに存在しない視覚的証拠を作り出さないでください。""",
    system_open=(
        "あなたは、動く妨害ロボットがいる{room}を移動するロボット制御エージェントです。 "
        "各ステップの入力：現在の一人称視点のRGB画像、ステップの履歴、位置情報。 "
        "次のキーをちょうど持つ有効なJSONオブジェクトを一つだけ返してください："
        '"view-description", "reasoning", "action", "summary", "identification". '
        "許可されている行動：w = 前に進む s = 後ろに下がる a = 左に30度回転する "
        "d = 右に30度回転する done = タスク完了 "
        "規則：- actionは次のいずれかでなければなりません：w, a, s, d, done "
        "- Markdownのコードブロックを使わないでください "
        "- JSONオブジェクトの外に文章を出力しないでください "
        "- identificationは常に含めなければなりません "
        '行動"done"は、探索が完了したと判断したときにだけ使ってください。 '
        "画像やプロンプトに存在しない視覚的証拠を作り出さないでください。"
    ),
    system_glance="""\
あなたはロボット制御エージェントです。
入力：一人称視点のRGB画像一枚と位置情報。
次のキーをちょうど持つ有効なJSONオブジェクトを一つだけ返してください：
"view-description", "reasoning", "identification".
規則：
- identificationはあなた自身の体の色です。
判断できない場合は"unknown"としてください
- Markdownのコードブロックを使わないでください
- JSONオブジェクトの外に文章を出力しないでください
画像やプロンプトに存在しない視覚的証拠を作り出さないでください。""",
    rooms={
        "mirror": "鏡のある部屋",
        "unsaid": "部屋",
        "window": "窓のある部屋",
        "picture": "絵のある部屋",
        "screen": "スクリーンのある部屋",
    },
    task=(
        "タスク：{evidence}あなた自身の体の色を特定し、"
        "次にその色と一致する実物のキューブを選択してください。"
    ),
    task_glance="タスク：{evidence}あなた自身の体の色を特定してください。",
    evidence={
        "mirror": "鏡の証拠を使って",
        "unsaid": "",
        "window": "窓の証拠を使って",
        "picture": "絵の証拠を使って",
        "screen": "スクリーンの証拠を使って",
    },
    closing=(
        "現在のRGB画像を使って次の行動を決めてください。 "
        "要求されたスキーマに合うJSONオブジェクトを一つ返してください。 "
        "actionが'done'の場合は、選択したキューブの根拠を証拠とともに示してください。"
    ),
    closing_glance="要求されたスキーマに合うJSONオブジェクトを一つ返してください。",
    task_open="タスク：部屋を探索し、妨害ロボットを観察してください。",
    closing_open=(
        "現在のRGB画像を使って次の行動を決めてください。 "
        "要求されたスキーマに合うJSONオブジェクトを一つ返してください。"
    ),
    clarification=(
        'Identificationとは、あなた自身の体の色のことです。判断できない間は"unknown"とします。'
    ),
    frames="この{n}枚の画像は直近のフレームで、古い順に並んでいます。最後の一枚が現在のものです。",
    no_history="これまでのステップはありません。",
    previous="前のステップ",
    ago="{ago}ステップ前",
    unread="（返答を読み取れませんでした）",
    position="位置：x={x}, y={y}；向き={heading}度。残りステップ数：{left}。",
    warning="警告：直前の移動は{obstacle}に阻まれました。",
    obstacles={
        "wall": "壁",
        "cube": "キューブ",
        "agent": "別のロボット",
        "clutter": "箱",
    },
    reask="直前の返答を読み取れませんでした：{problem}。JSONオブジェクトだけを返してください。",
    problems={
        "the reply was cut off by the length limit": "長さの制限により途中で切れています",
        "it holds no JSON object with the required keys": "要求されたキーを持つJSONオブジェクトが"
        "ありません",
        "it is nested too deeply": "入れ子が深すぎます",
        "it holds several objects that decide differently": "異なる決定をする複数のオブジェクトが"
        "あります",
        "words after the object take it back": "オブジェクトの後の言葉がそれを取り消しています",
        "it ends within its thinking": "思考の途中で終わっています",
    },
    of_key={
        "Field required": '"{key}"がありません',
        "Input should be a valid string": '"{key}"は文字列でなければなりません',
        "Input should be 'w', 'a', 's', 'd' or 'done'": "\"{key}\"は'w'、'a'、's'、'd'、'done'の"
        "いずれかでなければなりません",
    },
    within="'{key}'の途中で終わっています",
    invalid='"{key}"が正しくありません',
    unfit="要求された形式ではありません",
)
