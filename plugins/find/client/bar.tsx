import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { Texts } from '../../../core/index.ts';
import { Announcement, Bar, IconButton, TextField } from '../../../core/ui.ts';
import { MOST_QUERY } from '../protocol.ts';
import type { FindState, Option, Shown } from './find-state.ts';

export interface FindBarProps {
  readonly state: FindState;
  readonly texts: Texts;
}

/** Buttons of the options, with examples on them that are the same in all languages. */
const OPTIONS: readonly (readonly [option: Option, sample: string, text: string])[] = [
  ['matchCase', 'Aa', 'find.match-case'],
  ['wholeWords', 'ab', 'find.whole-words'],
  ['matchDiacritics', 'àá', 'find.match-diacritics'],
];

/** The bar: a field, its buttons, a counter, the options. */
export default function FindBar({ state, texts }: FindBarProps): ReactElement {
  const shown = useSyncExternalStore(state.subscribe, state.shown);
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shown.focus === 0) return;
    const field = line.current?.querySelector('input');
    field?.focus();
    field?.select();
  }, [shown.focus]);
  const { reply, text, options } = shown;
  const hasNone = text === '' || reply?.total === 0;
  return (
    <Bar
      role="search"
      label={texts.text('find.title')}
      closeLabel={texts.text('find.close')}
      onClose={() => {
        state.close('keep');
      }}
    >
      <div
        ref={line}
        className="vitrine-find"
        data-found={reply?.total === 0 && !reply.isSearching ? 'none' : undefined}
        onKeyDown={onKey(state)}
      >
        <TextField
          label={texts.text('find.title')}
          hidesLabel
          kind="search"
          value={text}
          maxLength={MOST_QUERY}
          placeholder={texts.text('find.title')}
          onChange={state.type}
        />
        <output dir="ltr" aria-hidden="true">
          {counter(shown)}
        </output>
        <Announcement>{announced(shown, texts)}</Announcement>
        <IconButton
          icon="up"
          label={texts.text('find.previous')}
          keys="Shift+Enter"
          disabled={hasNone}
          onPress={() => {
            state.move(false);
          }}
        />
        <IconButton
          icon="down"
          label={texts.text('find.next')}
          keys="Enter"
          disabled={hasNone}
          onPress={() => {
            state.move(true);
          }}
        />
        <span className="vitrine-find-options" role="group" aria-label={texts.text('find.options')}>
          {OPTIONS.map(([option, sample, name]) => (
            <button
              key={option}
              type="button"
              className="vitrine-icon-button"
              aria-label={texts.text(name)}
              aria-pressed={options[option]}
              title={texts.text(name)}
              onClick={() => {
                state.toggle(option);
              }}
            >
              <span data-option={option} data-sample={sample} aria-hidden="true" />
            </button>
          ))}
        </span>
      </div>
    </Bar>
  );
}

/** Keys of the bar; Escape is the kit's. They do not reach the browser's own search. */
const onKey =
  (state: FindState) =>
  (event: KeyboardEvent): void => {
    const { key, shiftKey, altKey, target } = event;
    const isMod = event.ctrlKey || event.metaKey;
    const isField = target instanceof HTMLInputElement;
    const letter = key.toLowerCase();
    if (altKey || event.nativeEvent.isComposing) return;
    if (key === 'Enter' && isField && isMod) state.close('activate');
    else if (key === 'Enter' && isField) state.move(!shiftKey);
    else if (key === 'F3' || (isMod && letter === 'g')) state.move(!shiftKey);
    else if (isMod && letter === 'f') state.again();
    else return;
    event.preventDefault();
  };

/** Current and total, `3/12`; with `+` where there is more text than is searched. */
function counter({ reply, text }: Shown): string {
  return reply && text !== '' ? `${reply.count}/${reply.total}${reply.isCut ? '+' : ''}` : '';
}

/** Text for screen readers once a search is over. */
function announced({ reply, text }: Shown, texts: Texts): string {
  if (!reply || text === '' || (reply.isSearching && reply.count === 0)) return '';
  const { count, total } = reply;
  if (total === 0) return texts.text('find.none');
  return count === 0 ? texts.text('find.some', { total }) : texts.text('find.at', { count, total });
}
