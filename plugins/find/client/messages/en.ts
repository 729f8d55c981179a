/** Texts of the bar. */
export const texts = {
  'find.title': 'Find in page',
  'find.next': 'Next match',
  'find.previous': 'Previous match',
  'find.close': 'Close the find bar',
  'find.options': 'Options',
  'find.match-case': 'Match case',
  'find.whole-words': 'Whole words',
  'find.match-diacritics': 'Match accents',
  'find.none': 'No matches',
  'find.some': '{total} matches',
  'find.at': 'Match {count} of {total}',
};
