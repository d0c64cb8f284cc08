"""Editions, written for the tests as scholars encode them."""

from __future__ import annotations

HEADER = """<teiHeader><fileDesc><titleStmt><title>{title}</title><author>Anonymous</author>
</titleStmt><publicationStmt><p>Written for tests.</p></publicationStmt>
<sourceDesc><p>None.</p></sourceDesc></fileDesc></teiHeader>"""


def tei(body: str, title: str = "An edition") -> bytes:
    """A TEI edition with this in its `text`."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<?xml-model href="tei_all.rng" schematypens="http://relaxng.org/ns/structure/1.0"?>\n'
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{HEADER.format(title=title)}\n'
        f"<text>{body}</text></TEI>\n"
    ).encode()


PLAY = tei(
    """
  <front>
    <titlePage><docTitle><titlePart>The Tragedy of the Miller</titlePart></docTitle></titlePage>
    <div type="dedication"><head>To my patron</head>
      <p>My lord, this play is small.</p>
      <p>Yet it is yours.</p></div>
    <castList><castItem>A miller</castItem><castItem>His wife</castItem></castList>
  </front>
  <body>
    <head>The Tragedy of the Miller</head>
    <div type="prologue"><head>Prologue</head>
      <l n="1">Two mills, alike in water and in stone,</l>
      <l n="2">stand by a brook that neither calls its own.</l></div>
    <div type="act" n="1"><head>ACT I</head>
      <div type="scene" n="1"><head>SCENE I. The mill.</head>
        <stage type="entrance">Enter the MILLER and his WIFE.</stage>
        <sp who="#miller"><speaker>MILLER</speaker>
          <l n="1">The wheel has stopped; the river has no breath,</l>
          <l>and silence is the miller’s little death.</l>
          <l part="I">Say, is there flour?</l></sp>
        <sp who="#wife"><speaker>WIFE</speaker>
          <l part="F">There is <stage type="delivery">aside</stage> a little left.</l>
          <l n="4">Of <app><lem wit="#A">bread</lem><rdg wit="#B">corn</rdg></app> and hope
            we are not yet bereft.<note place="foot">So A; B reads otherwise.</note></l></sp></div>
      <div type="scene"><head>SCENE II. A road.</head>
        <sp><speaker>CARRIER</speaker>
          <p>I carry what I am <choice><sic>givne</sic><corr>given</corr></choice> to carry, sir,
            and ask no more.</p></sp>
        <sp><speaker>MILLER</speaker><l>Then carry this.</l></sp></div></div>
    <div type="act" n="II"><head>ACT II</head>
      <div type="scene" n="II.1"><head>SCENE I. The brook.</head>
        <sp><speaker>WIFE</speaker><l n="2.1.1">It runs again.</l></sp></div></div>
  </body>""",
    "The Tragedy of the Miller",
)

GOSPEL = tei(
    """<body><div type="book" n="Mt" xml:lang="en"><head>According to Matthew</head>
  <pb n="12"/><milestone unit="chapter" n="3"/><head>The river</head>
  <p><milestone unit="verse" n="1"/>In those days a man came to the river,
    <milestone unit="verse" n="2"/>and he said, Turn round, for the day is near.</p>
  <p><milestone unit="verse" n="3"/>This is he of whom it was written:
    <q><milestone unit="verse" n="4"/>A voice in the waste</q>, make the <pb n="13"/>way
    straight.</p>
  <p>And all the country went out.</p>
  <milestone unit="chapter" n="4"/>
  <p><milestone unit="verse" n="1"/>Then he was led up into the hills.</p></div></body>"""
)

NOVEL = tei(
    """<body>
  <div type="chapter" n="1"><head>In which nothing happens</head>
    <p>It was a quiet street.</p><p>Nobody came.</p></div>
  <div type="chapter" n="2"><p>On the next day it rained.</p></div></body>"""
)

CLASSIC = tei(
    """<body><div type="edition" n="urn:cts:latinLit:phi0000.phi001.test-lat1" xml:lang="lat">
  <div type="textpart" subtype="book" n="1"><div type="textpart" subtype="chapter" n="1">
    <div type="textpart" subtype="section" n="1"><p>Insula est omnis divisa in partes.</p></div>
    <div type="textpart" subtype="section" n="2"><p>Hi omnes lingua inter se differunt.</p></div>
  </div></div></div></body>"""
)

OSIS = b"""<?xml version="1.0" encoding="UTF-8"?>
<osis xmlns="http://www.bibletechnologies.net/2003/OSIS/namespace">
<osisText osisIDWork="Test" osisRefWork="bible" xml:lang="en"><header><work osisWork="Test">
<title>A Bible for tests</title></work></header>
<div type="book" osisID="Matt"><title type="main">MATTHEW</title>
<chapter osisID="Matt.3"><title type="parallel">(<reference>Mark 1:1</reference>)</title>
<title>The river</title>
<verse osisID="Matt.3.1">In those days a man came to the river,<note type="study">Which river
is not said.</note></verse>
<verse osisID="Matt.3.2">and he said, <q who="John">Turn <w lemma="x">round</w></q>.</verse>
</chapter>
<chapter sID="Matt.4" osisID="Matt.4"/>
<p><verse sID="Matt.4.1" osisID="Matt.4.1"/>Then he was led up<verse eID="Matt.4.1"/>
<verse sID="Matt.4.2-3" osisID="Matt.4.2 Matt.4.3"/>and was alone.</p>
<p>For forty days.<verse eID="Matt.4.2-3"/></p><chapter eID="Matt.4"/></div>
<div type="book" osisID="Mark"><chapter osisID="Mark.1"><verse osisID="Mark.1.1">The
beginning.</verse></chapter></div></osisText></osis>
"""

USFM = r"""\id MAT - A Bible for tests
\ide UTF-8
\h Matthew
\toc1 The Gospel according to Matthew
\toc3 Mt
\mt1 Matthew
\c 3
\s1 The river
\r (Mark 1:1-8)
\p
\v 1 In those days a man came to the river,\f + \fr 3:1 \ft Which river is not said.\f*
\v 2 and he said,\x - \xo 3:2 \xt Mk 1:15\x* \wj Turn \+nd round\+nd*, for the
\w day|lemma="dies" strong="H3117"\w* is near\wj*.
\q1
\v 3-4 A voice in the waste~land:
\q2 make \qt-s |who="Isaiah"\*the way\qt-e\* straight.
\b
\c 4
\p
\v 1 Then he was led up // into the hills.
\id MRK
\c 1
\p
\v 1 The beginning.
"""
