# ruff: noqa: E501  a sentence is on one line
"""What the essays are made of in each language: prose written for them, names and small words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """One language.

    Attributes:
        code: as in ISO 639.
        prose: sentences that cite nothing; some have years, numbers and brackets all the same.
        passages: what is taken from a source, a sentence or two.
        authors: family names.
        titles: of works.
        marks: what opens and closes a quotation.
        page, see, conjunction, ibid: "p. {}", "see", "and", "ibid.".
        narrative: a lead-in for a quotation, and one for a paraphrase, with {} for the citation.
        undated: "n.d.".
        heading, notes: above the list of works, above the notes.
        comma, brackets: full-width ones where the script has them.
        space: between sentences.
        stop: ends a sentence.
    """

    code: str
    prose: tuple[str, ...]
    passages: tuple[str, ...]
    authors: tuple[str, ...]
    titles: tuple[str, ...]
    marks: tuple[str, str]
    page: str
    see: str
    conjunction: str
    ibid: str
    narrative: tuple[str, str]
    undated: str
    heading: str
    notes: str
    comma: str = ", "
    brackets: tuple[str, str] = (" (", ")")
    space: str = " "
    stop: str = "."


ENGLISH = Language(
    code="en",
    prose=(
        "The old harbour was filled in after the war (1939–1945), and most people have forgotten it.",
        "In 1953 a flood took the bridge; the new one (opened in 1961) is still in use.",
        "There are three reasons for this: (1) the cost, (2) the weather and (3) habit.",
        "Nobody on the council (see the map in chapter 3) wanted to begin again from nothing.",
        "The function f(12) is larger than its neighbours on the interval [0, 1].",
        "The plan of March (2004) was never carried out, although it had been paid for.",
    ),
    passages=(
        "Every town that lives by the sea learns sooner or later that the water has a longer memory than its engineers",
        "A market is not a place where goods are sold but a promise that tomorrow somebody will come. When the promise is broken the stalls stay, and yet the market has gone",
    ),
    authors=("Smith", "Garcia-Jones", "O'Brien"),
    titles=("The memory of harbours", "Markets and promises", "A short history of bridges"),
    marks=("“", "”"),
    page="p. {}",
    see="see",
    conjunction="and",
    ibid="Ibid.",
    narrative=("{} writes:", "According to {},"),
    undated="n.d.",
    heading="References",
    notes="Notes",
)

GERMAN = Language(
    code="de",
    prose=(
        "Der alte Hafen wurde nach dem Krieg (1939–1945) zugeschüttet, und kaum jemand erinnert sich.",
        "Im Jahr 1953 riss eine Flut die Brücke fort; die neue (seit 1961) steht noch heute.",
        "Dafür gibt es drei Gründe: (1) die Kosten, (2) das Wetter und (3) die Gewohnheit.",
        "Niemand im Rat (siehe die Karte in Kapitel 3) wollte noch einmal ganz von vorn beginnen.",
        "Der Plan vom März (2004) wurde nie ausgeführt, obwohl er längst bezahlt war.",
        "Im Intervall [0, 1] ist die Funktion f(12) größer als ihre Nachbarn.",
    ),
    passages=(
        "Jede Stadt, die vom Meer lebt, lernt früher oder später, dass das Wasser ein längeres Gedächtnis hat als ihre Ingenieure",
        "Ein Markt ist kein Ort, an dem Waren verkauft werden, sondern ein Versprechen, dass morgen wieder jemand kommt. Wird es gebrochen, bleiben die Stände stehen und der Markt ist trotzdem fort",
    ),
    authors=("Müller", "Groß", "von Arnim"),
    titles=("Das Gedächtnis der Häfen", "Märkte und Versprechen", "Kleine Geschichte der Brücken"),
    marks=("„", "“"),
    page="S. {}",
    see="vgl.",
    conjunction="und",
    ibid="Ebd.",
    narrative=("{} schreibt:", "Nach {} gilt:"),
    undated="o. J.",
    heading="Literaturverzeichnis",
    notes="Anmerkungen",
)

FRENCH = Language(
    code="fr",
    prose=(
        "Le vieux port fut comblé après la guerre (1939–1945), et presque personne ne s’en souvient.",
        "En 1953 une crue emporta le pont ; le nouveau (ouvert en 1961) sert encore aujourd’hui.",
        "Il y a trois raisons à cela : (1) le prix, (2) le temps et (3) l’habitude.",
        "Personne au conseil (voir la carte au chapitre 3) ne voulait tout recommencer.",
        "Le projet de mars (2004) ne fut jamais exécuté, bien qu’il eût été payé.",
        "Sur l’intervalle [0, 1], la fonction f(12) dépasse ses voisines.",
    ),
    passages=(
        "Toute ville qui vit de la mer apprend tôt ou tard que la mémoire de l’eau est plus longue que celle de ses ingénieurs",
        "Un marché n’est pas un endroit où l’on vend des choses mais la promesse que demain quelqu’un viendra. Quand elle est rompue les étals restent, et pourtant le marché a disparu",
    ),
    authors=("Lefèvre", "Dupont", "Étienne"),
    titles=("La mémoire des ports", "Marchés et promesses", "Petite histoire des ponts"),
    marks=("« ", " »"),
    page="p. {}",
    see="voir",
    conjunction="et",
    ibid="Ibid.",
    narrative=("{} écrit :", "Selon {},"),
    undated="s. d.",
    heading="Références",
    notes="Notes",
)

SPANISH = Language(
    code="es",
    prose=(
        "El viejo puerto se rellenó después de la guerra (1939–1945), y casi nadie lo recuerda.",
        "En 1953 una riada se llevó el puente; el nuevo (abierto en 1961) sigue en uso.",
        "Hay tres razones para ello: (1) el precio, (2) el tiempo y (3) la costumbre.",
        "Nadie en el concejo (véase el mapa del capítulo 3) quiso empezar otra vez de cero.",
        "El plan de marzo (2004) nunca se llevó a cabo, aunque ya estaba pagado.",
        "En el intervalo [0, 1] la función f(12) supera a sus vecinas.",
    ),
    passages=(
        "Toda ciudad que vive del mar aprende tarde o temprano que la memoria del agua es más larga que la de sus ingenieros",
        "Un mercado no es un lugar donde se venden cosas sino la promesa de que mañana vendrá alguien. Cuando se rompe quedan los puestos, y sin embargo el mercado se ha ido",
    ),
    authors=("García", "Muñoz", "Ríos"),
    titles=("La memoria de los puertos", "Mercados y promesas", "Breve historia de los puentes"),
    marks=("«", "»"),
    page="p. {}",
    see="véase",
    conjunction="y",
    ibid="Ibíd.",
    narrative=("{} escribe:", "Según {},"),
    undated="s. f.",
    heading="Referencias",
    notes="Notas",
)

RUSSIAN = Language(
    code="ru",
    prose=(
        "Старую гавань засыпали после войны (1939–1945), и почти никто о ней не помнит.",
        "В 1953 году наводнение унесло мост; новый (открыт в 1961 году) служит до сих пор.",
        "На то есть три причины: (1) цена, (2) погода и (3) привычка.",
        "Никто в совете (смотри карту в третьей главе) не хотел начинать всё сначала.",
        "Мартовский план (2004) так и не был выполнен, хотя за него уже заплатили.",
        "На отрезке [0, 1] функция f(12) больше своих соседей.",
    ),
    passages=(
        "Каждый город, который живёт морем, рано или поздно узнаёт, что память воды длиннее памяти тех инженеров, которые его строили",
        "Рынок есть не место, где продают товары, а обещание, что завтра сюда снова кто-нибудь придёт. Когда обещание нарушено, прилавки остаются, но самого рынка уже нет",
    ),
    authors=("Иванов", "Соколова", "Щербаков"),
    titles=("Память гаваней", "Рынки и обещания", "Краткая история мостов"),
    marks=("«", "»"),
    page="с. {}",
    see="см.",
    conjunction="и",
    ibid="Там же.",
    narrative=("{} пишет:", "Согласно {},"),
    undated="б. г.",
    heading="Список литературы",
    notes="Примечания",
)

GREEK = Language(
    code="el",
    prose=(
        "Το παλιό λιμάνι επιχωματώθηκε μετά τον πόλεμο (1939–1945) και σχεδόν κανείς δεν το θυμάται.",
        "Το 1953 μια πλημμύρα πήρε τη γέφυρα· η νέα (άνοιξε το 1961) χρησιμοποιείται ακόμη.",
        "Υπάρχουν τρεις λόγοι: (1) το κόστος, (2) ο καιρός και (3) η συνήθεια.",
        "Κανείς στο συμβούλιο δεν ήθελε να αρχίσει ξανά από το μηδέν.",
        "Το σχέδιο του Μαρτίου (2004) δεν εκτελέστηκε ποτέ, αν και είχε πληρωθεί.",
    ),
    passages=(
        "Κάθε πόλη που ζει από τη θάλασσα μαθαίνει αργά ή γρήγορα ότι το νερό έχει μεγαλύτερη μνήμη από τους μηχανικούς της",
        "Η αγορά δεν είναι τόπος όπου πουλιούνται πράγματα αλλά μια υπόσχεση ότι αύριο κάποιος θα έρθει. Όταν η υπόσχεση αθετηθεί οι πάγκοι μένουν, κι όμως η αγορά έχει χαθεί",
    ),
    authors=("Παπαδόπουλος", "Νικολάου", "Γεωργίου"),
    titles=("Η μνήμη των λιμανιών", "Αγορές και υποσχέσεις", "Σύντομη ιστορία των γεφυρών"),
    marks=("«", "»"),
    page="σ. {}",
    see="βλ.",
    conjunction="και",
    ibid="Ό.π.",
    narrative=("{} γράφει:", "Σύμφωνα με τον {},"),
    undated="χ.χ.",
    heading="Βιβλιογραφία",
    notes="Σημειώσεις",
)

ARABIC = Language(
    code="ar",
    prose=(
        "رُدم الميناء القديم بعد الحرب (1939–1945) ولم يعد أحد يذكره تقريبا.",
        "في عام 1953 جرف الفيضان الجسر، والجسر الجديد (افتتح عام 1961) ما زال مستعملا.",
        "لذلك ثلاثة أسباب: (1) الكلفة و(2) الطقس و(3) العادة.",
        "لم يرد أحد في المجلس أن يبدأ من الصفر مرة أخرى.",
        "أما خطة شهر مارس (2004) فلم تنفذ أبدا مع أن ثمنها قد دفع.",
    ),
    passages=(
        "كل مدينة تعيش من البحر تتعلم عاجلا أو آجلا أن ذاكرة الماء أطول من ذاكرة المهندسين الذين بنوا أرصفتها القديمة",
        "السوق ليست مكانا تباع فيه البضائع بل هي وعد بأن أحدا سيأتي غدا إلى هنا. فإذا أخلف الوعد بقيت الدكاكين في مكانها ومع ذلك تكون السوق قد رحلت",
    ),
    authors=("العلي", "الحداد", "منصور"),
    titles=("ذاكرة الموانئ", "الأسواق والوعود", "تاريخ موجز للجسور"),
    marks=("«", "»"),
    page="ص {}",
    see="انظر",
    conjunction="و",
    ibid="المرجع نفسه.",
    narrative=("يقول {}:", "يرى {} أن"),
    undated="د.ت.",
    heading="المراجع",
    notes="الهوامش",
    comma="، ",
)

CHINESE = Language(
    code="zh",
    prose=(
        "旧港口在战后（1939–1945年）被填平，如今几乎没有人记得它。",
        "1953年洪水冲走了旧桥，新桥（1961年通车）一直使用到今天。",
        "原因有三个：（1）费用，（2）天气，（3）习惯。",
        "议会里没有人愿意一切从头再来。",
        "三月的计划（2004）虽然已经付了钱，却从来没有实施。",
    ),
    passages=(
        "凡是靠海为生的城市迟早都会懂得，水的记忆比那些修筑堤岸和码头的工程师的记忆还要长久得多",
        "市场不是一个出售货物的地方，而是一个明天还会有人来的承诺。承诺一旦被打破，摊位虽然还留在原地，市场却已经离开了",
    ),
    authors=("王明", "李红梅", "欧阳修文"),
    titles=("港口的记忆", "市场与承诺", "桥梁简史"),
    marks=("“", "”"),
    page="第{}页",
    see="参见",
    conjunction="和",
    ibid="同上。",
    narrative=("{}写道：", "根据{}的研究，"),
    undated="无日期",
    heading="参考文献",
    notes="注释",
    comma="，",
    brackets=("（", "）"),
    space="",
    stop="。",
)

JAPANESE = Language(
    code="ja",
    prose=(
        "古い港は戦後（1939–1945年）に埋め立てられ、覚えている人はほとんどいない。",
        "1953年の洪水で橋が流され、新しい橋（1961年開通）が今も使われている。",
        "理由は三つある。（1）費用、（2）天気、（3）習慣である。",
        "議会には最初からやり直したいと思う人はいなかった。",
        "三月の計画（2004）は支払いが済んでいたのに実行されなかった。",
    ),
    passages=(
        "海によって生きる町はどれも遅かれ早かれ、水の記憶が技師たちの記憶よりもずっと長いことを思い知らされる",
        "市場とは品物が売られる場所ではなく、明日も誰かが来るという約束である。約束が破られても屋台は残るが、市場はもうそこにはない",
    ),
    authors=("山田", "佐藤", "鈴木"),
    titles=("港の記憶", "市場と約束", "橋の小史"),
    marks=("「", "」"),
    page="{}頁",
    see="参照",
    conjunction="・",
    ibid="同上。",
    narrative=("{}は次のように述べている。", "{}によれば、"),
    undated="n.d.",
    heading="参考文献",
    notes="注",
    comma="、",
    brackets=("（", "）"),
    space="",
    stop="。",
)

LANGUAGES = (
    ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN, GREEK, ARABIC, CHINESE, JAPANESE,
)  # fmt: skip
