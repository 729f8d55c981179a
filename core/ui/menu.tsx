import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { keyHint } from './key-hint.ts';
import { placeMenu } from './menu-place.ts';
import type { Place } from './menu-place.ts';
import { TypeAhead } from './type-ahead.ts';

/** An item of a menu. Labels may be of a page: they are cut at the end of their line. */
export interface MenuItem {
  /** Result of the menu. Unique in the whole menu. */
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName | undefined;
  /** The key that does the same, as in `aria-keyshortcuts`: `Control+P`. The menu shows it and does not act on it. */
  readonly keys?: string | undefined;
  /** Reachable, so that people find out that it exists, but does nothing. */
  readonly disabled?: boolean | undefined;
  /** Of an item that switches something. */
  readonly checked?: boolean | undefined;
  /** Loses something for good. */
  readonly danger?: boolean | undefined;
  /** A line is drawn above it. */
  readonly begins?: boolean | undefined;
  /** A submenu. */
  readonly items?: readonly MenuItem[] | undefined;
}

interface MenuProps {
  /** Name of the menu. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Where it opens. */
  readonly at: Place;
  /** With the id of an item; `undefined` if the person has left. */
  readonly done: (id: string | undefined) => void;
}

interface LevelProps extends MenuProps {
  readonly isSub: boolean;
  /** Focuses the first item at once; by pointer nothing is focused until it points at something. */
  readonly takesFocus: boolean;
  /** Goes back to the item that opened this level. */
  readonly onLeave: () => void;
  /** The pointer has come in. */
  readonly onEnter?: () => void;
}

/** Time for which the pointer rests on an item before its submenu opens, or another one's closes, in ms. */
const HOVER_MS = 150;

function Item({ item, isOpen }: { readonly item: MenuItem; readonly isOpen: boolean }): ReactElement {
  const { label, icon, keys, disabled, checked, danger, items } = item;
  return (
    <button
      type="button"
      className="vitrine-menu-item"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      tabIndex={-1}
      aria-checked={checked}
      aria-disabled={disabled}
      aria-haspopup={items && 'menu'}
      aria-expanded={items && isOpen}
      aria-keyshortcuts={keys}
      data-danger={danger}
    >
      <span className="vitrine-menu-mark">
        {checked === true ? <Icon name="check" /> : icon !== undefined && <Icon name={icon} />}
      </span>
      <span className="vitrine-menu-label">
        <bdi>{label}</bdi>
      </span>
      {keys !== undefined && (
        <kbd aria-hidden="true" dir="ltr">
          {keyHint(keys)}
        </kbd>
      )}
      {items && <Icon name="next" />}
    </button>
  );
}

interface Opened {
  readonly index: number;
  readonly place: Place;
  readonly byKey: boolean;
}

function Level({ label, items, at, done, isSub, takesFocus, onLeave, onEnter }: LevelProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [ahead] = useState(() => new TypeAhead());
  const [opened, setOpened] = useState<Opened>();
  const buttons = (): HTMLElement[] => [...(element.current?.querySelectorAll<HTMLElement>('button') ?? [])];
  const focus = (index: number): void => {
    const all = buttons();
    all.at(index % all.length)?.focus();
  };
  useLayoutEffect(() => {
    if (element.current) placeMenu(element.current, at, isSub);
  }, [at, isSub]);
  useLayoutEffect(() => {
    if (takesFocus) element.current?.querySelector('button')?.focus();
    else if (!isSub) element.current?.focus();
  }, [takesFocus, isSub]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const open = (index: number, byKey: boolean): void => {
    const box = buttons()[index]?.getBoundingClientRect();
    if (box) setOpened({ index, place: box, byKey });
  };
  const act = (index: number, byKey: boolean): void => {
    const item = items[index];
    if (!item || item.disabled === true) return;
    if (item.items) open(index, byKey);
    else done(item.id);
  };
  const hover = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') return;
    const index = buttons().findIndex((button) => button.contains(event.target as Node)); // an element of this document
    if (index < 0) return;
    if (element.current?.ownerDocument.activeElement !== buttons()[index])
      buttons()[index]?.focus({ preventScroll: true });
    clearTimeout(timer.current);
    if (index === opened?.index) return;
    timer.current = setTimeout(() => {
      if (items[index]?.items && items[index].disabled !== true) open(index, false);
      else setOpened(undefined);
    }, HOVER_MS);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { activeElement } = event.currentTarget.ownerDocument;
    const index = buttons().indexOf(activeElement as HTMLElement); // only compared
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const [into, out] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown') focus(index + 1);
    else if (event.key === 'ArrowUp') focus(index <= 0 ? -1 : index - 1);
    else if (event.key === 'Home' || event.key === 'PageUp') focus(0);
    else if (event.key === 'End' || event.key === 'PageDown') focus(-1);
    else if (event.key === into) {
      if (items[index]?.items) act(index, true);
    } else if (event.key === out) {
      if (isSub) onLeave();
    } else if (event.key === 'Escape') (isSub ? onLeave : () => done(undefined))();
    else if (event.key === 'Tab') done(undefined);
    else if (event.key === 'Enter' || (event.key === ' ' && !ahead.isTyping)) {
      if (!event.repeat) act(index, true);
    } else if (event.key.length === 1) {
      const found = ahead.type(event.key, items, index);
      if (found !== undefined) focus(found);
    } else return;
    event.preventDefault();
  };
  const sub = opened && items[opened.index];
  return (
    <>
      <div
        ref={element}
        className="vitrine-menu"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onPointerEnter={onEnter}
        onPointerMove={hover}
        onClick={({ target }) => {
          const index = buttons().findIndex((button) => button.contains(target as Node)); // an element of this document
          if (index >= 0) act(index, false);
        }}
      >
        {items.map((item, index) => (
          <div key={item.id} role="presentation" className={item.begins === true ? 'vitrine-menu-begins' : undefined}>
            <Item item={item} isOpen={opened?.index === index} />
          </div>
        ))}
      </div>
      {opened && sub?.items && (
        <Level
          key={sub.id}
          label={sub.label}
          items={sub.items}
          at={opened.place}
          done={done}
          isSub
          takesFocus={opened.byKey}
          onEnter={() => {
            clearTimeout(timer.current);
            onEnter?.();
          }}
          onLeave={() => {
            focus(opened.index);
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
}

/**
 * A menu with submenus. Arrows, Home, End and the first letters of a label move in it, Enter and Space choose, Escape and Tab leave it. It
 * fills a dialog slot: `slots.ask(slot, menu, { label, items, at })` covers the page, so that a press outside of it ends it.
 */
export function Menu({ label, items, at, done }: MenuProps): ReactElement {
  return (
    <Level
      label={label}
      items={items}
      at={at}
      done={done}
      isSub={false}
      takesFocus={false}
      onLeave={() => {
        done(undefined);
      }}
    />
  );
}
