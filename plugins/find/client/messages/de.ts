/** Texts of the bar. */
export const texts = {
  'find.title': 'Auf der Seite suchen',
  'find.next': 'Nächster Treffer',
  'find.previous': 'Vorheriger Treffer',
  'find.close': 'Suchleiste schließen',
  'find.options': 'Optionen',
  'find.match-case': 'Groß- und Kleinschreibung beachten',
  'find.whole-words': 'Nur ganze Wörter',
  'find.match-diacritics': 'Akzente beachten',
  'find.none': 'Keine Treffer',
  'find.some': '{total} Treffer',
  'find.at': 'Treffer {count} von {total}',
};
