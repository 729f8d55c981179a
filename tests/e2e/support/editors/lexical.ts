import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { registerRichText } from '@lexical/rich-text';
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from 'lexical';

/** An editor that handles each key and each input event itself. */
const root = document.querySelector<HTMLElement>('#editor');
if (!root) throw new Error('there is no place for the editor');
root.contentEditable = 'true';
const editor = createEditor({
  namespace: 'test',
  onError: (error) => {
    throw error;
  },
});
editor.setRootElement(root);
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => {
  $getRoot().append($createParagraphNode().append($createTextNode('one two')));
});
