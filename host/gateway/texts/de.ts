import type { GatewayTexts } from './texts.ts';

export const texts: GatewayTexts = {
  portal: {
    lead: 'Öffnen Sie eine beliebige Website. Ihr Code läuft in einem Wegwerf-Browser auf dem Host, nie auf Ihrem Gerät.',
    address: 'Webadresse',
    open: 'Öffnen',
    refused:
      '„{typed}“ ist keine Webadresse. Versuchen Sie es mit etwas wie example.org oder https://example.org/page.',
    recent: 'Zuletzt geöffnete Seiten',
    forget: 'Liste löschen',
    protection: 'Was Sie schützt',
  },
  waiting: {
    title: 'Warten auf einen freien Platz',
    full: 'Alle isolierten Browser sind belegt. Diese Seite öffnet sich von selbst, sobald einer frei ist.',
    address:
      'Ihr Netz hat so viele isolierte Browser, wie es darf. Diese Seite öffnet sich von selbst, sobald einer frei ist.',
    place: 'Ihr Platz in der Warteschlange: {place}',
    again: 'Schließen Sie Tabs, die Sie nicht brauchen: auch das schafft Platz.',
  },
  protection: {
    title: 'Schutz',
    lead: 'Das steht jetzt zwischen Websites und Ihnen.',
    on: 'An',
    weaker: 'Schwächer',
    off: 'Aus',
    rules: 'Regeln Ihrer Organisation',
    page: 'Seite',
    show: 'Anzeigen',
    forPage: 'Für {page}:',
    anyPage: 'jede Seite',
    yes: 'ja',
    no: 'nein',
    forgery:
      'Isolation beurteilt keine Websites: eine Seite, die nach einem Passwort fragt, kann trotzdem eine Fälschung sein. Achten Sie auf ihre Adresse.',
    openSite: 'Eine Website öffnen',
    code: [
      'Kein Code von Websites in Ihrem Browser',
      'Websites laufen in einem Browser auf dem Host. Ihrer bekommt Elemente, Stile und Bilder, die zweimal geprüft wurden, in einem Rahmen ohne Skripte.',
    ],
    sandbox: [
      'Ein eigener Browser in einer Sandbox',
      'Niemand sonst benutzt ihn. Sein Profil wird gelöscht, wenn Ihre Sitzung endet.',
    ],
    users: [
      'Getrennte Benutzer',
      'Ihre Prozesse haben eigene Benutzer-IDs: sie können die anderer Personen weder lesen noch beenden.',
    ],
    sharedUser: [
      'Getrennte Benutzer',
      'Der Host läuft nicht als root: die Prozesse aller Personen haben eine Benutzer-ID. Nur die Sandbox trennt sie.',
    ],
    limits: [
      'Grenzen',
      'Der Kernel begrenzt Speicher, Rechenzeit und Prozesse Ihrer Sitzung: andere werden nicht langsamer.',
    ],
    weakLimits: [
      'Grenzen',
      'Der Kernel begrenzt nicht alles, was Ihre Sitzung benutzt: der Host beobachtet ihren Speicher und beendet sie, wenn er zu groß wird.',
    ],
    decoders: [
      'Umgewandelte Bilder',
      'Bilder, die nach den Regeln umgewandelt werden, werden in einem eigenen Prozess ohne Netz dekodiert.',
    ],
    weakDecoders: [
      'Umgewandelte Bilder',
      'Bilder, die nach den Regeln umgewandelt werden, werden in einem eigenen Prozess dekodiert, den der Host aber nicht vom Netz trennen kann.',
    ],
    privateOpen: [
      'Privates Netz',
      'Websites dürfen private Adressen hinter dem Host erreichen. Das hat seine Administration erlaubt.',
    ],
    privateSome: [
      'Privates Netz',
      'Websites erreichen keine privaten Adressen außer denen, die die Administration erlaubt hat. Ihre Zahl: {count}.',
    ],
    privateClosed: ['Privates Netz', 'Websites erreichen keine privaten Adressen hinter dem Host.'],
    encrypted: ['Verbindung', 'Was zwischen Ihrem Browser und dem Host übertragen wird, kann unterwegs niemand lesen.'],
    plain: ['Verbindung', 'Die Verbindung zum Host ist nicht verschlüsselt: andere im Netz können sie mitlesen.'],
  },
  admission: {
    title: 'Dieser Browser ist nicht zugelassen',
    text: 'Vitrine ist hier für zugelassene Browser eingerichtet. Öffnen Sie in diesem Browser einmal den Zulassungslink: der Host hat ihn beim Start ausgegeben. Wenn Sie den Host nicht selbst betreiben, fragen Sie die Person, die das tut.',
  },
};
