import { signal } from '@preact/signals-react';
import type { Signal } from '@preact/signals-react';
import { SLOTS } from 'vitrine/core';
import type { ActivateClient, SlotContribution } from 'vitrine/core';
import { countLinks, linksChanged } from '../protocol.ts';
import styles from './panel.css';

export interface PanelProps {
  readonly links: Signal<number>;
  readonly onCount: () => void;
}

const panel: SlotContribution<PanelProps> = { load: () => import('./panel.tsx'), styles: [styles] };

/** Runs in the person's browser: shows the number in a panel over a corner of the page. */
export const activate: ActivateClient = ({ commands, log, slots }) => {
  const links = signal(0);
  commands.handle(linksChanged, (changed) => {
    links.value = changed.links;
  });
  const count = async (): Promise<void> => {
    try {
      links.value = (await commands.call(countLinks, undefined)).links;
    } catch (thrown) {
      log.warn('the links could not be counted', { reason: String(thrown) });
    }
  };
  slots.fill(SLOTS.panel, panel, { links, onCount: () => void count() });
};
