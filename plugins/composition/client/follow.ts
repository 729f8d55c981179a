import { hooksToken } from '../../../core/index.ts';
import type { ClientScope, Editing, Renderer, ViewDocument } from '../../../core/index.ts';
import { modifierFlags } from '../../../core/protocol/input-flags.ts';
import { edit, insertion, isEdit, key, MOST_TEXT } from '../protocol.ts';
import type { Replaced } from '../protocol.ts';
import { Composer, distance } from './composer.ts';
import { Replacements } from './replacement.ts';
import { TextEdits } from './text-edits.ts';

/** Key code of the keys that an input method has taken. */
const PROCESS_KEY = 229;
/** Names of keys that type nothing themselves. */
const UNTYPED = /^(?:Process|Dead|Unidentified)$/;
/** Inputs into which text is typed; the others report through the renderer. */
const TEXT_TYPES = /^(?:text|search|url|tel|email|password|number)$/;

/** Acts of the person that come after an edit which waits to be sent. */
const ACTS = ['keydown', 'pointerdown', 'mousedown', 'touchstart', 'compositionstart', 'paste', 'cut', 'drop'] as const;

/** The same that end a composition. */
const PRESSES = ['pointerdown', 'mousedown', 'touchstart'] as const;

/** Follows input methods in every document of the view, from now on. Answers with what takes the page's answers. */
export function followInputMethods(scope: ClientScope, renderer: Renderer, editing: Editing): Parts {
  const { commands, hooks, services, signal, onDispose } = scope;
  const composer = new Composer(commands);
  const parts: Parts = { scope, editing, composer };
  // Until it is there, what is replaced is counted from the page's selection.
  void import('./make-patches.ts').then(({ makePatches }) => {
    if (signal.aborted) return;
    parts.edits = new TextEdits({ commands, makePatches, isHeld: (editable) => composer.holds(editable) });
    parts.replacements = new Replacements({ editing, edits: parts.edits });
  });
  const dispose = (): void => {
    composer.dispose();
    parts.edits?.dispose();
  };
  hooks.tap(services.get(hooksToken).detached, dispose);
  onDispose(renderer.documents((view) => follow(view, parts)));
  onDispose(dispose);
  return parts;
}

export interface Parts {
  readonly scope: ClientScope;
  readonly editing: Editing;
  readonly composer: Composer;
  edits?: TextEdits;
  replacements?: Replacements;
}

/** Follows them in one document. Answers with the undo. */
function follow({ frame, document }: ViewDocument, parts: Parts): () => void {
  const { scope, editing, composer } = parts;
  const view = document.defaultView;
  if (!view) return () => undefined;
  const { commands } = scope;
  const ending = new AbortController();
  // Before the devices of the core, which listen on the document.
  const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void): void =>
    view.addEventListener(type, listener, { capture: true, signal: ending.signal });
  const send = (event: KeyboardEvent, type: 'down' | 'up'): void => {
    composer.flush();
    commands.send(key, {
      type,
      key: event.key.slice(0, 50),
      code: event.code.slice(0, 50),
      key_code: event.keyCode, // no other field tells of an input method
      location: event.location,
      repeat: event.repeat,
      modifiers: modifierFlags(event),
    });
  };

  /** Codes of the keys that an input method has taken, and that are down. */
  const taken = new Set<string>();
  for (const type of ACTS) on(type, () => parts.edits?.flush());
  on('keydown', (event) => {
    const isDead = event.key === 'Dead';
    if (event.keyCode === PROCESS_KEY || event.isComposing || isDead) {
      // `keyboard` would type it as well; of a dead key it waits for the letter.
      if (!isDead) event.stopImmediatePropagation();
      taken.add(event.code);
      send(event, 'down');
    } else composer.notice();
  });
  on('keyup', (event) => {
    const isTaken = taken.delete(event.code) && UNTYPED.test(event.key);
    if (event.isComposing || isTaken) {
      event.stopImmediatePropagation();
      send(event, 'up');
    }
    composer.notice();
  });
  for (const type of PRESSES) on(type, () => composer.press(editing.focused()?.page()));

  on('compositionstart', (event) => {
    const [element] = event.composedPath() as [Element]; // composition happens in elements
    // `keyboard` types it at its end.
    if (!element.matches('[type=password],[v-type=password]')) composer.start(frame, editing.entered());
  });
  // The `input` event of a step that empties a composition in rich text has the text before.
  let composed = '';
  on('compositionupdate', ({ data }) => void (composed = data));
  on('input', (event) => {
    if (event.inputType === 'insertCompositionText') composer.step(composed);
    // The view puts back whatever else changes in a field.
    else if (event.isTrusted && isReplaced(event) && parts.replacements?.made(event.composedPath()[0] as Control))
      event.stopImmediatePropagation();
  });
  on('compositionend', (event) => {
    if (!composer.isComposing) return;
    const { data } = event;
    // `keyboard` would type it as well; others have to hear that it ends.
    Object.defineProperty(event, 'data', { value: '' });
    composer.end(data);
  });
  on('beforeinput', (event) => {
    if (event.inputType === 'insertCompositionText') composer.prepare();
    else if (event.isTrusted && !isPicker(event)) {
      const edited = takeEdit(event, frame, parts);
      // Others still hear of it: a prevented event has been taken.
      if (edited === 'sent') event.preventDefault();
      else if (edited !== 'other') event.stopImmediatePropagation();
    }
  });
  return () => {
    ending.abort();
    composer.leave(frame);
    parts.edits?.leave(frame);
  };
}

/**
 * Sends an edit without a composition. See {@link Replacements.take}; `other`: it is not the person's, or for others to take; `left`: it is
 * under way, and the browser is to make it, too.
 */
function takeEdit(event: InputEvent, frame: number, parts: Parts): ReturnType<Replacements['take']> | 'left' {
  const { scope, editing, composer, edits, replacements } = parts;
  composer.flush();
  const taken = replacements?.take(event) ?? 'other';
  if (taken !== 'other') return taken;
  const { inputType, data } = event;
  // Other text of a replacement may be what the browser keeps, or its place is not known.
  const isText = inputType === 'insertText';
  if (isText ? !data : !isEdit(inputType)) return 'other';
  edits?.flush();
  const replaced = replacedBy(editing);
  const place = { frame, ...(replaced && { replaced }) };
  if (isText) scope.commands.send(insertion, { ...place, text: (data ?? '').slice(0, MOST_TEXT) });
  else if (isEdit(inputType)) scope.commands.send(edit, { ...place, type: inputType });
  return isText ? showText(event, frame, parts) : 'sent';
}

/**
 * Shows a text at once in a field that is held: some input methods end a composition without one, and then insert it. Rich text without a
 * text at the caret is held from now on: what is composed before the page has answered would stand without the text, or before it.
 */
function showText(event: InputEvent, frame: number, { editing, composer }: Parts): 'sent' | 'left' {
  const editable = editing.entered();
  if (!editable) return 'sent';
  const isRich = editable.kind === 'rich';
  if (!composer.holds(editable)) {
    if (!isRich || editable.page() || !isCaret(event)) return 'sent';
    composer.insert(frame, editable);
    return 'left';
  }
  composer.inserted(undefined);
  if (isRich) return 'left';
  const shown = editable.shown();
  if (!shown) return 'sent';
  const data = event.data ?? '';
  const at = shown.start + data.length;
  editable.show({ text: shown.text.slice(0, shown.start) + data + shown.text.slice(shown.end), start: at, end: at });
  composer.inserted(editable.shown());
  return 'sent';
}

/** Whether an edit has nothing selected to take the place of. */
function isCaret(event: InputEvent): boolean {
  const [range, ...others] = event.getTargetRanges();
  return !!range?.collapsed && others.length === 0;
}

type Control = HTMLInputElement | HTMLTextAreaElement;

/** Whether the event says that the text of a control is replaced. */
function isReplaced(event: InputEvent): boolean {
  const [element] = event.composedPath() as [Element]; // input events come from elements
  return event.inputType === 'insertReplacementText' && 'value' in element;
}

/** The text that an edit takes the place of beyond the page's selection: browsers select it first. */
function replacedBy(editing: Editing): Replaced | undefined {
  const editable = editing.focused();
  if (!editable || editable.kind === 'rich') return undefined;
  const page = editable.page();
  const shown = editable.shown();
  return page && shown?.text === page.text ? distance(page, shown) : undefined;
}

function isPicker(event: InputEvent): boolean {
  const [element] = event.composedPath() as [Element]; // input events come from elements
  return element.localName === 'input' && !TEXT_TYPES.test((element as HTMLInputElement).type); // by its name
}
