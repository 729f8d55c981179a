import { javascriptLanguage } from '@codemirror/lang-javascript';
import { basicSetup, EditorView } from 'codemirror';

/**
 * A code editor: it closes brackets, indents, and colours what is typed. It knows of no completions: their list comes after a time without keys, and
 * takes keys then.
 */
new EditorView({
  doc: 'const one = 1;\n',
  parent: document.querySelector('#editor') ?? document.body,
  extensions: [basicSetup, javascriptLanguage],
});
