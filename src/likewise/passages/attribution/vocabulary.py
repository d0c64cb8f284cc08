"""Words by which citations are told from other text in brackets, in many languages."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


# What may precede the name in brackets: "(see …", "(vgl. …", "(zit. nach …".
LEADS = _words(
    """
    see also e.g eg cf compare as cited quoted in by after from adapted based on and but
    siehe s vgl vergleiche auch z b bspw u a nach zit zitiert bei so etwa dazu hierzu aus
    voir cité citée cités par d’après d'après selon chez p ex notamment
    véase véanse ver vid vide citado citada en por según ej p.ej
    vedi cfr citato citata da secondo ad esempio in
    ver conforme apud citado segundo
    zie vgl bijv geciteerd jfr se jf
    zob por cyt za np viz srov dle
    см ср цит по напр также и в див пор
    βλ πρβλ παρατίθεται στο όπως αναφέρεται
    انظر ينظر راجع نقلا عن في ذكره راه רא ראו אצל מצוטט
    参见 见 參見 見 转引自 引自 参照 cit
    """
)
# "(in Berlin 2019)" says where, not who.
ONLY_PLACES = _words("in en em im à au a i в во στο στη في ב")
# Within names.
PARTICLES = _words(
    """
    and & und et y e i и й και و ו on och og en ja a the of for für fuer der des den dem die das de
    del della dello dei di da do dos das du la le les los las el al van von vom zu zur zum ter ten
    te af av af d l ibn bin bint ben ud u i al. et. al u.a u.a. ed eds hrsg hg ред др др. ред. κ.ά
    jr sr ii iii in on о об по
    """
)
# What stands before a year without being a name.
NOT_NAMES = _words(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter
    monday tuesday wednesday thursday friday saturday sunday
    januar jänner februar märz mai juni juli oktober dezember okt dez frühjahr sommer herbst
    montag dienstag mittwoch donnerstag freitag samstag sonntag
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    janeiro fevereiro março maio junho julho setembro outubro dezembro
    januari februari maart mei augustus stycznia lutego marca kwietnia maja czerwca lipca sierpnia
    września października listopada grudnia
    январь января февраль февраля март марта апрель апреля май мая июнь июня июль июля август
    августа сентябрь сентября октябрь октября ноябрь ноября декабрь декабря год года году
    ιανουάριος ιανουαρίου φεβρουάριος φεβρουαρίου μάρτιος μαρτίου απρίλιος απριλίου μάιος μαΐου
    ιούνιος ιουνίου ιούλιος ιουλίου αύγουστος αυγούστου σεπτέμβριος σεπτεμβρίου οκτώβριος
    οκτωβρίου νοέμβριος νοεμβρίου δεκέμβριος δεκεμβρίου
    يناير فبراير مارس أبريل إبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر كانون شباط
    آذار نيسان أيار حزيران تموز آب أيلول تشرين عام العام سنة السنة شهر منذ حتى
    ינואר פברואר מרץ אפריל יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר שנת
    since until before after during circa ca c born died founded built opened in im um seit bis vor
    nach ab the der die das le la les el los il figure fig table tab abb abbildung tabelle chapter
    ch chap kapitel kap section sec part teil vol volume version windows no nr page appendix anhang
    figura tabla tableau capítulo chapitre рис рисунок табл таблица глава uk usa us eu udssr ddr brd
    ссср сша рф year years jahr jahre jahres année années an ans año años anno anni ano anos jaar
    år rok roku év yıl έτος έτους
    """
)
# Words before a number in brackets that make it a number of something else.
NUMBERED_THINGS = (
    r"(?:eqs?|equations?|gleichung(?:en)?|gl|formel|formula|fórmula|équation|ecuación|формул\w{0,3}"
    r"|уравнени\w{0,3}|step|schritt|case|fall|line|zeile|type|typ|option|article|artikel|art|law"
    r"|rule|item|question|frage|phase|stage|level|grade|class|room|model)\.?"
)
INTERVALS = (
    r"(?:intervals?|intervalls?|intervalles?|intervalos?|intervalli|interval\w{0,4}|ranges?"
    r"|bereich|range|отрезк\w{0,2}|интервал\w{0,2}|промежутк\w{0,2}|διάστημα|区间|區間|区間|المجال"
    r"|values?|vector|array|∈|=|×|\+|≤|≥)"
)
# Of pages and other places in a work, before a number.
PAGES = (
    r"(?:pp?|pgs?|pages?|S|ss?|Seiten?|f|ff|págs?|pág|pag|стр|с|C|сс|σσ?|σελ|ص|ع|頁|页|第|n|nn|note"
    r"|Anm|Rn|Rz|Tz|para|paras|§§?|art|Art|ch|chap|ch|Kap|cap|гл|sec|vol|Bd|t|fig|Fig|Abb|Tab|table"
    r"|loc|l|ll|v|vv|Z|st|str|blz|s|бет|쪽)"
)
UNDATED = (
    r"(?:n\.\s?d\.|o\.\s?J\.|o\.\s?D\.|s\.\s?f\.|s\.\s?d\.|s\.\s?a\.|z\.\s?j\.|u\.\s?å\.|б\.\s?г\."
    r"|χ\.\s?χ\.|د\.\s?ت|ל\.?\s?ת|无日期|日期不详|in press|forthcoming|im Erscheinen|im Druck"
    r"|en prensa|sous presse|в печати)"
)
OTHERS = (
    r"(?:et\s+al\.?|u\.\s?a\.|et\s+alii|e\s+altri|y\s+otros|и\s+др\.?|та\s+ін\.?|κ\.\s?ά\.?"
    r"|και\s+συν\.?|וآخرون|وآخرون|ואח['׳]?|ואחרים|m\.\s?fl\.|e\.\s?a\.|ym\.|i\s+in\.|a\s+kol\.)"
)
# Abbreviations whose full stop ends no sentence; of one letter none does.
ABBREVIATIONS = _words(
    """
    al bspw bzw ca cf cfr chap cit dr ed eds eg etc fig figs frau hr hrsg inc jr kap mr mrs ms no
    nos nr núm op par pp prof pág págs resp sp sr sra st str usw vgl vid vol vols vs zit abb anm art
    bd tab др гг тыс руб напр им ср см рис стр табл гл проф ред соч цит σελ βλ πρβλ κ.λπ π.χ
    """
)
# Words by which a sentence names whom it follows, in scripts without capital letters.
REPORTING_ARABIC = (
    r"(?:يرى|ترى|رأى|ذكر|يذكر|أشار|يشير|قال|يقول|تقول|كتب|يكتب|تكتب|أكد|يؤكد|أوضح|يوضح|بين|يبين|وجد"
    r"|لاحظ|وفقا|وفق|حسب|بحسب|عند|دراسة|عرف|يعرف|لدى)"
)
REPORTING_HEBREW = r"(?:לפי|טוען|טוענת|טען|טענה|כותב|כותבת|כתב|כתבה|אצל|על\s+פי|מציין|מציינת)"
# The most frequent family names, or how they begin or end.
CHINESE_NAMES = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓邓鄧冯馮曹彭曾"
    "肖蕭田董袁潘蔡蒋蔣余于杜叶葉程魏苏蘇吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸范汪廖石金韦韋贾賈夏傅方"
    "邹鄒熊白孟秦邱江尹薛闫阎段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴武戴莫孔汤湯欧歐费費"
)
CHINESE_LONG_NAMES = frozenset(
    ["欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "司徒", "东方", "皇甫", "尉迟", "公孙"]
)
JAPANESE_NAME_ENDS = frozenset("田藤木本山川村野島井橋林原谷口崎﨑沢澤岡内森池石上中水部瀬塚辺辻倉")
KOREAN_NAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진나"
)
# Words that introduce a source: "Source: …", below a table or after a text.
SOURCE_WORDS = (
    r"(?:sources?|quellen?|fuentes?|fontes?|fonti|bron|källa|kilde|źródło|zdroj|kaynak|источники?"
    r"|джерело|πηγή|المصدر|מקור|来源|來源|资料来源|出典|出所|出处|출처|स्रोत)"
)
IBID = (
    r"(?:ibid(?:em)?|ibíd|ebd|ebenda|op\.\s?cit|loc\.\s?cit|a\.\s?a\.\s?O|aaO|там\s+же|там\s+само"
    r"|указ\.\s?соч|ό\.\s?π|同上|同前|前掲|前揭|앞의\s?책|المرجع\s+نفسه|المصدر\s+نفسه|المرجع\s+السابق"
    r"|المصدر\s+السابق|שם\s?שם)"
)
