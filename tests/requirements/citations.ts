import ts from 'typescript';

const ID = /\b[SMR]-\d{3}\b/g;
const IN_BRACKETS = /\[[^\]]*\]/g;
/** Functions whose first argument is the title of a test. */
const TITLED = new Set(['it', 'test', 'describe', 'check']);

/** All ids that a text names. */
export function namedIn(text: string): string[] {
  return [...new Set(text.match(ID) ?? [])];
}

/** `it` for `it.each(...)(...)`, `check` for `tally.check(...)`. */
function calledName(callee: ts.Expression): string {
  if (ts.isCallExpression(callee)) return calledName(callee.expression);
  if (!ts.isPropertyAccessExpression(callee)) return ts.isIdentifier(callee) ? callee.text : '';
  return callee.name.text === 'check' ? 'check' : calledName(callee.expression);
}

/** The ids in brackets in the titles of tests: `it('[S-042] refuses ...')`. */
export function citedIn(file: string, text: string): string[] {
  if (!ID.test(text)) return [];
  ID.lastIndex = 0;
  const cited = new Set<string>();
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && TITLED.has(calledName(node.expression)) ? node.arguments[0] : undefined;
    if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
      for (const group of title.getText(source).match(IN_BRACKETS) ?? [])
        for (const id of namedIn(group)) cited.add(id);
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  visit(source);
  return [...cited];
}
