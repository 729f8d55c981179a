import { inputToken } from '../../../core/index.ts';
import type { ActivateClient, Commands, DeviceView } from '../../../core/index.ts';
import { insertText, keyControl } from '../protocol.ts';
import { isAltGraph, isBrowserKey, nativeShortcut } from './keys.ts';
import { sendKey } from './send-key.ts';
import type { Keys } from './send-key.ts';
import { isTyped } from './typed.ts';

/** Keys that input methods take, and accents that wait for their letter. */
const UNTYPED = /^(Process|Dead|Unidentified)$/;
/** Acts of the person in the view, before which only keys that are pressed are needed. */
const ACTS = ['focusin', 'pointerdown', 'keydown'] as const;

/** Forwards the keyboard and input methods of every document of the view; pasting is plugins/clipboard's. */
export const activate: ActivateClient = (scope) => {
  const { commands } = scope;
  const keys: Keys = { held: new Set(), control: '' };
  let rest: Promise<void> | undefined;
  const load = (): void => {
    rest ??= import('./rare-keys.ts').then(({ tendKeys }) => tendKeys(scope, keys));
  };
  commands.handle(keyControl, ({ held }) => {
    keys.control = held;
    if (held) load();
  });
  scope.onDispose(
    scope.services.get(inputToken).add((view) => {
      for (const type of ACTS) view.on(type, load);
      forwardKeyboard(view, commands, keys);
    }),
  );
};

/** Forwards the keyboard and input methods of one document. */
function forwardKeyboard({ frame, on }: DeviceView, commands: Commands, keys: Keys): void {
  const send = (event: KeyboardEvent, type: 'down' | 'up'): void => sendKey(keys, commands, frame, event, type);
  const type = (text: string | null | undefined): void => {
    if (text) commands.send(insertText, { frame, text: text.slice(0, 100_000) });
  };
  /** Whether a key stays with the browser, or belongs to its input methods. */
  const passes = (event: KeyboardEvent): boolean =>
    event.isComposing ||
    UNTYPED.test(event.key) ||
    (isBrowserKey(event, isAltGraph(event)) && !keys.isHeldBack?.(event));
  on('keydown', (event) => {
    const completes = keys.completes?.(event);
    if (completes || passes(event)) return;
    const shortcut = nativeShortcut(event);
    if (shortcut === 'v') return; // comes as a paste event
    if (!shortcut || (shortcut === 'a' && !isEditable(event))) event.preventDefault();
    send(event, 'down');
  });
  on('keyup', (event) => {
    if (keys.held.has(event.code) || !passes(event)) send(event, 'up');
  });
  on('compositionend', (event) => type(event.data)); // not trusted in Chromium
  // Whatever else would edit the view by itself: the remote page's answer is what counts.
  on('beforeinput', (event) => {
    if (event.inputType === 'insertCompositionText' || event.defaultPrevented) return; // or has been taken
    const [element] = event.composedPath() as [Element]; // input events come from elements
    if (element.localName === 'input' && !isTextControl(element)) return; // pickers and sliders report through the renderer
    event.preventDefault();
    if (isTyped(event, element)) type(event.data);
  });
}

function isEditable(event: Event): boolean {
  const element = event.composedPath()[0] as HTMLElement; // keys go to elements
  return element.isContentEditable || 'selectionStart' in element; // text areas and inputs
}

function isTextControl(element: Element): boolean {
  return /^(text|search|url|tel|email|password|number)$/.test((element as HTMLInputElement).type); // localName is input
}
