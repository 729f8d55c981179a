import { javascript } from '@codemirror/lang-javascript';
import { basicSetup, EditorView } from 'codemirror';

/** A code editor: it closes brackets, indents, and colours what is typed. */
new EditorView({
  doc: 'const one = 1;\n',
  parent: document.querySelector('#editor') ?? document.body,
  extensions: [basicSetup, javascript()],
});
