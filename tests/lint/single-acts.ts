import ts from 'typescript';

/** Methods by which a test acts for a person, of pages, locators, keyboards, mice and touch screens. */
const ACTS = new Set([
  ...[
    'click',
    'dblclick',
    'tap',
    'hover',
    'press',
    'pressSequentially',
    'type',
    'insertText',
    'down',
    'up',
    'move',
    'wheel',
  ],
  ...[
    'fill',
    'clear',
    'check',
    'uncheck',
    'setChecked',
    'selectOption',
    'setInputFiles',
    'dragTo',
    'dragAndDrop',
    'focus',
  ],
  ...['goto', 'goBack', 'goForward', 'reload', 'open'],
]);

/** Calls of these functions are repeated until what they check is so. */
function repeatedIn(call: ts.CallExpression): ts.Node | undefined {
  const { expression } = call;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { text } = expression.name;
  if (text === 'poll' && expression.expression.getText() === 'expect') return call.arguments[0];
  if (text !== 'toPass') return undefined;
  let at: ts.Expression = expression.expression;
  while (ts.isPropertyAccessExpression(at)) at = at.expression; // expect(...).not
  return ts.isCallExpression(at) ? at.arguments[0] : undefined;
}

/**
 * The acts of a person that a test repeats: a first one that is lost would not be seen. What `toPass` and `expect.poll` call is looked through,
 * with the functions of the same file that it calls, and the functions that those get as parameters, which may act.
 *
 * @returns each as `LINE: CALL`
 */
export function repeatedActs(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const functions = new Map<string, ts.Node>();
  const parameters = new Set<string>();
  const found = new Set<string>();
  const walk = (node: ts.Node, visit: (each: ts.Node) => void): void => {
    visit(node);
    ts.forEachChild(node, (child) => walk(child, visit));
  };
  walk(source, (node) => {
    if (ts.isFunctionDeclaration(node) && node.name) functions.set(node.name.text, node);
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer &&
      isFunction(node.initializer)
    )
      functions.set(node.name.text, node.initializer);
    if (ts.isParameter(node) && node.type && ts.isFunctionTypeNode(node.type)) parameters.add(node.name.getText());
  });
  const look = (repeated: ts.Node, seen: ReadonlySet<string>): void =>
    walk(repeated, (node) => {
      if (ts.isIdentifier(node) && node === repeated) follow(node.text, seen);
      if (!ts.isCallExpression(node)) return;
      const { expression } = node;
      const isOn = ts.isPropertyAccessExpression(expression);
      const name = isOn ? expression.name.text : expression.getText();
      const isAct = isOn ? ACTS.has(name) : /^act/.test(name) && parameters.has(name);
      const isInput = name === 'send' && /^['"`]Input\./.test(node.arguments[0]?.getText() ?? '');
      if (isAct || isInput) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.add(`${line + 1}: ${node.getText().slice(0, 80)}`);
      } else if (!isOn) follow(name, seen);
    });
  const follow = (name: string, seen: ReadonlySet<string>): void => {
    const called = functions.get(name);
    if (called && !seen.has(name)) look(called, new Set([...seen, name]));
  };
  walk(source, (node) => {
    const repeated = ts.isCallExpression(node) ? repeatedIn(node) : undefined;
    if (repeated) look(repeated, new Set());
  });
  return [...found];
}

function isFunction(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}
