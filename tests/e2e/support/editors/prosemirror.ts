import { exampleSetup } from 'prosemirror-example-setup';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';

/** An editor that reads what the browser has changed, and has rules for what is typed: `- ` begins a list. */
new EditorView(document.querySelector('#editor'), {
  state: EditorState.create({ schema, plugins: exampleSetup({ schema, menuBar: false }) }),
});
