/** Returns the current text of a sheet's rules, starting at an index; undefined where the page may not read them. */
export function rulesText(sheet: CSSStyleSheet, from = 0): string | undefined {
  const rules = rulesOf(sheet);
  if (!rules) return undefined;
  let text = '';
  for (let at = from; at < rules.length; at++) text += `${rules[at]?.cssText ?? ''}\n`;
  return text;
}

/** Returns the number of rules of a sheet; -1 where the page may not read them. */
export function rulesCount(sheet: CSSStyleSheet): number {
  return rulesOf(sheet)?.length ?? -1;
}

function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch {
    return undefined; // loaded from another origin
  }
}

let probe: CSSStyleSheet | undefined;

/** Parses a source text as the browser does. Imports are left out. */
export function parsed(css: string): CSSStyleSheet {
  probe ??= new CSSStyleSheet();
  probe.replaceSync(css);
  return probe;
}
