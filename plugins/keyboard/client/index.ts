import { inputToken } from '../../../core/index.ts';
import type { ActivateClient, Commands, DeviceView } from '../../../core/index.ts';
import { INPUT_FLAGS, modifierFlags } from '../../../core/protocol/input-flags.ts';
import { insertText, keyboard } from '../protocol.ts';
import { isTyped } from './typed.ts';

/** Fields of a key event that {@link keyText} and {@link belongsToBrowser} read. */
export type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

/** The text that a key types; empty for keys that type none, and for shortcuts. Platforms report AltGraph as Ctrl and Alt together. */
export function keyText({ key, ctrlKey, altKey, metaKey }: Key, isAltGraph: boolean): string {
  if (key === 'Enter') return '\r';
  if (!/^.$/su.test(key)) return '';
  if (isAltGraph) return key;
  return ctrlKey || altKey || metaKey ? '' : key;
}

const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);
const FUNCTION_KEYS = /^(F(5|6|1[12])|Browser(Back|Forward|Refresh))$/;
/** With Ctrl, or Command: tabs, windows, reloading, zoom, the address bar, developer tools. */
const BROWSER_KEYS = /^([tnwldhjqr+=0-]|Tab|PageUp|PageDown)$/i;

/** Keys that stay with the person's browser: they are neither forwarded nor prevented. */
export function belongsToBrowser(event: Key, isAltGraph: boolean): boolean {
  if (FUNCTION_KEYS.test(event.key)) return true;
  // Back and forward: the shell's history follows the page's (plugins/navigation).
  if (event.altKey && !isAltGraph && /^Arrow(Left|Right)$/.test(event.key)) return true;
  const command = isMac() ? event.metaKey : event.ctrlKey && !isAltGraph;
  return command && (BROWSER_KEYS.test(event.key) || (event.shiftKey && /^[cijk]$/i.test(event.key)));
}

/**
 * The letter of a shortcut whose default the view still needs: the browser itself must copy and cut, say what is to be pasted, and select
 * all of a field, so that what is copied next is there.
 */
function nativeShortcut(event: KeyboardEvent): string | undefined {
  const command = isMac() ? event.metaKey : event.ctrlKey;
  // Where no letters of ours are typed, the place of the key says which is meant.
  const letter = event.key > '\x7f' ? event.code.slice(3) : event.key;
  return command && !event.altKey ? /^[acxv]$/.exec(letter.toLowerCase())?.[0] : undefined;
}

/** Forwards the keyboard and input methods of every document of the view; pasting is plugins/clipboard's. */
export const activate: ActivateClient = ({ commands, services, onDispose }) => {
  onDispose(services.get(inputToken).add((view) => forwardKeyboard(view, commands)));
};

/** Forwards the keyboard and input methods of one document. */
function forwardKeyboard({ frame, on }: DeviceView, commands: Commands): void {
  const altGraph = (event: KeyboardEvent): boolean => event.getModifierState('AltGraph');
  const send = (event: KeyboardEvent, type: 'down' | 'up'): void => {
    commands.send(keyboard, {
      frame,
      type,
      key: event.key.slice(0, 50),
      code: event.code.slice(0, 50),
      key_code: event.keyCode, // the surrogate's page may still read it; no other field carries it
      location: event.location,
      repeat: event.repeat,
      // AltGraph types a character: with Ctrl and Alt set the page would take it for a shortcut.
      modifiers: modifierFlags(event) & (altGraph(event) ? ~(INPUT_FLAGS.ctrl | INPUT_FLAGS.alt) : ~0),
      text: type === 'down' ? keyText(event, altGraph(event)).slice(0, 16) : '',
    });
  };
  const type = (text: string | null | undefined): void => {
    if (text) commands.send(insertText, { frame, text: text.slice(0, 100_000) });
  };
  on('keydown', (event) => {
    if (event.isComposing || event.key === 'Process' || event.key === 'Dead' || event.key === 'Unidentified') return;
    if (belongsToBrowser(event, altGraph(event))) return;
    const shortcut = nativeShortcut(event);
    if (shortcut === 'v') return; // comes as a paste event
    if (!shortcut || (shortcut === 'a' && !isEditable(event))) event.preventDefault();
    send(event, 'down');
  });
  on('keyup', (event) => {
    if (event.isComposing || belongsToBrowser(event, altGraph(event))) return;
    send(event, 'up');
  });
  on('compositionend', (event) => type(event.data)); // not trusted in Chromium
  // Whatever else would edit the view by itself: the remote page's answer is what counts.
  on('beforeinput', (event) => {
    if (event.inputType === 'insertCompositionText') return;
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
