import type { AskMenuProps, TabAction } from '../../../core/index.ts';

type Entry = AskMenuProps['items'][number];

/** Groups in the order in which they are shown. */
const GROUPS: readonly TabAction['group'][] = ['page', 'tab', 'about'];

/** Actions in the order of their groups, their places and their ids; of several with one id, the first. */
export function sorted(actions: readonly TabAction[]): readonly TabAction[] {
  const all = [...actions].sort(
    (a, b) =>
      GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
      (a.order ?? 0) - (b.order ?? 0) ||
      (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

/** The entries of the menu for {@link sorted} actions, with a line before each group but the first. */
export function entriesOf(actions: readonly TabAction[], platform = navigator.platform): readonly Entry[] {
  const mod = /mac|iphone|ipad/i.test(platform) ? 'Meta' : 'Control';
  return actions.map(({ id, label, icon, group, keys, disabled, checked }, index) => {
    const before = actions[index - 1];
    return {
      id,
      label,
      icon: icon as Entry['icon'], // nothing is drawn for a name that the kit does not have
      keys: keys?.replace('Mod', mod),
      disabled,
      checked,
      begins: (before && before.group !== group) || undefined,
    };
  });
}
