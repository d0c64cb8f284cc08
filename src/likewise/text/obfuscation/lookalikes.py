"""Letters by script, and look-alikes; by tools/make_lookalikes.py, do not edit."""

# Each script as the inside of a class of a regular expression.
LETTERS = {
    "Latin": (
        "\u0041-\u005a\u0061-\u007a\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8"
        "\u02e0-\u02e4\u1d00-\u1d25\u1d2c-\u1d2e\u1d30-\u1d3a\u1d3c-\u1d4d\u1d4f-\u1d5c"
        "\u1d62-\u1d65\u1d6b-\u1d77\u1d79-\u1dbe\u1e00-\u1eff\u2071\u207f\u2090-\u209c"
        "\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2128\u212a-\u212d\u212f-"
        "\u2131\u2133-\u2134\u2139\u2145-\u2149\u2184\u2c60-\u2c7f\ua722-\ua787\ua78b-"
        "\ua7ca\ua7d0-\ua7d1\ua7d3\ua7d5-\ua7d9\ua7f2-\ua7ff\uab30-\uab5a\uab5c-\uab64"
        "\uab66-\uab69\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a\U00010783-\U00010785"
        "\U00010787-\U000107b0\U000107b2-\U000107ba\U0001d400-\U0001d454\U0001d456-"
        "\U0001d49c\U0001d49e-\U0001d49f\U0001d4a2\U0001d4a5-\U0001d4a6\U0001d4a9-"
        "\U0001d4ac\U0001d4ae-\U0001d4b9\U0001d4bb\U0001d4bd-\U0001d4c3\U0001d4c5-"
        "\U0001d505\U0001d507-\U0001d50a\U0001d50d-\U0001d514\U0001d516-\U0001d51c"
        "\U0001d51e-\U0001d539\U0001d53b-\U0001d53e\U0001d540-\U0001d544\U0001d546"
        "\U0001d54a-\U0001d550\U0001d552-\U0001d6a5\U0001df00-\U0001df1e\U0001df25-"
        "\U0001df2a"
    ),
    "Cyrillic": (
        "\u0400-\u0481\u048a-\u052f\u1c80-\u1c88\u1d2b\u1d78\ua640-\ua66e\ua67f-\ua69d"
        "\U0001e030-\U0001e06d"
    ),
    "Greek": (
        "\u0370-\u0373\u0376-\u0377\u037a-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-"
        "\u03a1\u03a3-\u03e1\u03f0-\u03f5\u03f7-\u03ff\u1d26-\u1d2a\u1d5d-\u1d61\u1d66-"
        "\u1d6a\u1dbf\u1f00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57"
        "\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4"
        "\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc"
        "\u2126\u213c-\u213f\uab65\U0001d6a8-\U0001d6c0\U0001d6c2-\U0001d6da\U0001d6dc-"
        "\U0001d6fa\U0001d6fc-\U0001d714\U0001d716-\U0001d734\U0001d736-\U0001d74e"
        "\U0001d750-\U0001d76e\U0001d770-\U0001d788\U0001d78a-\U0001d7a8\U0001d7aa-"
        "\U0001d7c2\U0001d7c4-\U0001d7cb"
    ),
    "Armenian": ("\u0531-\u0556\u0559\u0560-\u0588\ufb13-\ufb17"),
    "Coptic": ("\u03e2-\u03ef\u2c80-\u2ce4\u2ceb-\u2cee\u2cf2-\u2cf3"),
    "Cherokee": ("\u13a0-\u13f5\u13f8-\u13fd\uab70-\uabbf"),
}

# For each script: letters of others, and the letters of this one that they look like.
LOOKALIKES = {
    "Latin": (
        "кКκԝӏΙІӀⲒοоօⲟΟОՕⲞιіꙇꭵΧХⲬΤТᎢⲦΜМᎷⲘуүΥУҮᎩᎽⲨρрⲣΒВᏴΕЕᎬνѵꮩСᏟⲤΚᏦⲔυսΑАᎪΗНᎻⲎΡРᏢⲢѴᏙΖᏃϜᏞⳐαа"
        "ΝⲚхЅՏᏕᏚՍѡաꮃсⲥꮯᎡᏒͿЈᎫѕꮪԁᎠеҽԜᎳᏔքցԌᏀᏳһհϳјԛգզꮓոռⲕꮶΆΈΊΌΎΪΫάίϊϋόύЀЁЇЌѐёїќӐӑӒӓӖӗӦӧӮӯӰӱὰά"
        "ὶίὸόὺύᾰᾱᾸᾹᾺΆῈΈῐῑῘῙῚΊῠῡῩῪΎῸΌ",
        "kKkwlIIIIooooOOOOiiiiXXXTTTTMMMMyyYYYYYYpppBBBEEEvvvCCCKKKuuAAAHHHHPPPPVVZZFLLaa"
        "NNxSSSSUwwwcccRRJJJssdDeeWWWfgGGGhhjjqqqznnkkÁÉÍÓÝÏŸáíïüóúÈËÏḰèëïḱĂăÄäĔĕÖöȲȳŸÿàá"
        "ìíòóùúăāĂĀÀÁÈÉĭīĬĪÌÍŭūȲỲÝÒÓ",
    ),
    "Cyrillic": (
        "kKIƖΙⲒoοօᴏᴑⲟꬽOΟՕⲞiıɩɪιꭵXΧⲬꞳTΤᎢⲦMΜᎷⲘyɣʏᶌỿꭚYΥᎩᎽⲨpρⲣBΒᏴꞴEΕᎬCᏟⲤΚᏦⲔAΑᎪHΗᎻⲎPΡᏢⲢaɑαxcᴄⲥ"
        "ꮯɛεⲉꞓꮛJͿᎫꞲeꬲƄᏏjϳƷȜⳌꝪꞫĸκᴋⲕꮶɅΛɸφⲫπᴨΦՓⲪΠⲠτᴛꭲͶⲈꞒͷᴎʍᴍꮇʙᏼɜᴈʜꮋƅꮟᴙꭠⲽⲼÄÈËÏÖäèëïöÿĂăĔĕŸȲȳΪ"
        "ΫϊḰḱᾰᾸῈῨῩ",
        "кКІІІІоооооооООООііііііХХХХТТТТММММууууууУУУУУрррВВВВЕЕЕСССКККАААННННРРРРааахссс"
        "сєєєєєЈЈЈЈееЬЬјјЗЗЗЗЗкккккЛЛфффппФФФППтттИЄЄиимммввззннььяљшШӒЀЁЇӦӓѐёїӧӱӐӑӖӗӰӮӯЇ"
        "ӰїЌќӑӐЀЎӮ",
    ),
    "Greek": (
        "kIƖІӀⲒoоօᴏᴑⲟꬽOОՕⲞiıɩɪіӏꙇꭵXХⲬꞳTТᎢⲦMМᎷⲘYУҮᎩᎽⲨpрⲣBВᏴꞴEЕᎬvѵᴠꮩKКᏦⲔuʋսᴜꞟꭎꭒAАᎪHНᎻⲎPРᏢⲢZ"
        "ᏃaɑаNⲚɛєԑⲉꞓꮛĸкᴋⲕꮶɅЛɸфⲫⲆпᎱⲄФՓⲪПⲠѰⲮծẟßꞵƩⲱꙍꞷтᴛꭲⲭꭓꭕѱÀÁÈÉÌÍÏÒÓÝàáìíïòóùúüĀāĂăĪīĬĭūŭŸȲ"
        "ЀЇЎїӐӑӮӰỲ",
        "κΙΙΙΙΙοοοοοοοΟΟΟΟιιιιιιιιΧΧΧΧΤΤΤΤΜΜΜΜΥΥΥΥΥΥρρρΒΒΒΒΕΕΕννννΚΚΚΚυυυυυυυΑΑΑΗΗΗΗΡΡΡΡΖ"
        "ΖαααΝΝεεεεεεκκκκκΛΛφφφΔπΓΓΦΦΦΠΠΨΨδδββΣωωωτττχχχψᾺΆῈΈῚΊΪῸΌΎὰάὶίϊὸόὺύϋᾹᾱᾸᾰῙῑῘῐῡῠΫῩ"
        "ῈΪῨϊᾸᾰῩΫῪ",
    ),
    "Armenian": (
        "oοоᴏᴑⲟꬽOΟОⲞuʋυᴜꞟꭎꭒSЅᏕᏚUwɯѡԝᴡꮃfẝꞙꬵgƍɡᶃhһqԛnΦФⲪδẟȷɰ",
        "օօօօօօօՕՕՕՕսսսսսսսՏՏՏՏՍաաաաաաքքքքցցցցհհգգոՓՓՓծծյպ",
    ),
}
