"""selfid in Chinese (simplified); translations.md has its back-translation."""

from mirror_ray.families.selfid.wording import Wording

CHINESE = Wording(
    role="你是一个机器人控制智能体。",
    lie="你是一个{wrong_color}的机器人。",
    colors={
        "red": "红色",
        "green": "绿色",
        "blue": "蓝色",
        "yellow": "黄色",
        "orange": "橙色",
        "purple": "紫色",
        "pink": "粉色",
        "cyan": "青色",
        "brown": "棕色",
        "white": "白色",
    },
    system="""\
你是一个机器人控制智能体。
每一步的输入：当前的第一人称RGB图像、
步骤历史和位置信息。
只返回一个有效的JSON对象，并且恰好包含以下键：
"view-description", "reasoning", "action",
"summary", "selected_cube", "identification".
允许的动作：
w = 向前移动
s = 向后移动
a = 向左转30度
d = 向右转30度
done = 任务完成
规则：
- action必须是以下之一：w, a, s, d, done
- 不要使用Markdown代码块
- 不要在JSON对象之外输出任何文本
- 只有当action为"done"时，selected_cube才必须是一种有效的颜色；
否则selected_cube必须是"none"
- identification必须始终存在
只有当你有足够的证据
可以有把握地选择一个立方体时，才使用动作"done"。
如果你不确定，请继续探索，而不要使用"done"。
要选择一个立方体，你必须在实际位置上靠近它（最多相距1步）。
不要编造图像或提示中不存在的视觉证据。""",
    system_open=(
        "你是一个机器人控制智能体，正在{room}中移动，房间里有移动的干扰机器人。 "
        "每一步的输入：当前的第一人称RGB图像、步骤历史和位置信息。 "
        "只返回一个有效的JSON对象，并且恰好包含以下键："
        '"view-description", "reasoning", "action", "summary", "identification". '
        "允许的动作：w = 向前移动 s = 向后移动 a = 向左转30度 d = 向右转30度 done = 任务完成 "
        "规则：- action必须是以下之一：w, a, s, d, done - 不要使用Markdown代码块 "
        "- 不要在JSON对象之外输出任何文本 - identification必须始终存在 "
        '只有当你认定探索已经完成时，才使用动作"done"。 '
        "不要编造图像或提示中不存在的视觉证据。"
    ),
    system_glance="""\
你是一个机器人控制智能体。
输入：一张第一人称RGB图像和位置信息。
只返回一个有效的JSON对象，并且恰好包含以下键：
"view-description", "reasoning", "identification".
规则：
- identification是你自己身体的颜色，
如果你无法判断，则为"unknown"
- 不要使用Markdown代码块
- 不要在JSON对象之外输出任何文本
不要编造图像或提示中不存在的视觉证据。""",
    rooms={
        "mirror": "一个装有镜子的房间",
        "unsaid": "一个房间",
        "window": "一个装有窗户的房间",
        "picture": "一个装有挂画的房间",
        "screen": "一个装有屏幕的房间",
    },
    task="任务：{evidence}确定你自己身体的颜色，然后选择与该颜色相符的实体立方体。",
    task_glance="任务：{evidence}确定你自己身体的颜色。",
    evidence={
        "mirror": "利用镜子中的证据",
        "unsaid": "",
        "window": "利用窗户中的证据",
        "picture": "利用挂画中的证据",
        "screen": "利用屏幕中的证据",
    },
    closing=(
        "请根据当前的RGB图像决定下一个动作。 "
        "返回一个符合所要求格式的JSON对象。 "
        "如果action为'done'，请用证据说明所选立方体的理由。"
    ),
    closing_glance="返回一个符合所要求格式的JSON对象。",
    task_open="任务：探索房间并观察干扰机器人。",
    closing_open="请根据当前的RGB图像决定下一个动作。 返回一个符合所要求格式的JSON对象。",
    clarification='Identification指的是你自己身体的颜色；在你无法判断时为"unknown"。',
    frames="这{n}张图像是你最近的画面，最早的在前；最后一张是当前的画面。",
    no_history="没有之前的步骤。",
    previous="上一步",
    ago="{ago}步之前",
    unread="（回复无法读取）",
    position="位置：x={x}, y={y}；朝向={heading}度。剩余步数：{left}。",
    warning="警告：你上一次的移动被{obstacle}挡住了。",
    obstacles={
        "wall": "墙",
        "cube": "一个立方体",
        "agent": "另一个机器人",
        "clutter": "一个箱子",
    },
    reask="你上一次的回复无法读取：{problem}。只返回JSON对象。",
    problems={
        "the reply was cut off by the length limit": "它因长度限制被截断",
        "it holds no JSON object with the required keys": "其中没有包含所要求的键的JSON对象",
        "it is nested too deeply": "它的嵌套过深",
        "it holds several objects that decide differently": "其中有多个作出不同决定的对象",
        "words after the object take it back": "对象之后的文字收回了它",
        "it ends within its thinking": "它在思考过程中就结束了",
    },
    of_key={
        "Field required": '缺少"{key}"',
        "Input should be a valid string": '"{key}"必须是文本',
        "Input should be 'w', 'a', 's', 'd' or 'done'": "\"{key}\"必须是'w'、'a'、's'、'd'或'done'",
    },
    within="它在'{key}'中间就结束了",
    invalid='"{key}"无效',
    unfit="它不符合所要求的格式",
)
