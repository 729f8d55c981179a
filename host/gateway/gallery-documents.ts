import type { GalleryDocument } from '../gallery/gallery.ts';
import { portalDocument } from './portal.ts';
import { protectionDocument } from './protection.ts';
import type { HostProtection } from './protection.ts';
import { waitingDocument, waitingPolicy } from './waiting-page.ts';

const STRONG: Omit<HostProtection, 'settings'> = {
  limits: { memory: 'cgroup2', cpu: 'cgroup2', processes: 'cgroup2', users: 'range' },
  decoderNetwork: 'namespace',
  network: { allowed: [], isPrivateAllowed: false },
};
const WEAK: Omit<HostProtection, 'settings'> = {
  limits: { memory: 'statm', cpu: 'nice', processes: 'none', users: 'none' },
  decoderNetwork: 'none',
  network: { allowed: [], isPrivateAllowed: true },
};
const NO_SETTINGS = { settings: { leaves: [] } };
const RULES = [
  { about: 'Let people print', value: true },
  { about: 'No copying and cutting', value: false },
];

/**
 * Documents of the gateway by their names in the gallery (`core/portal/tests/gallery.tsx`).
 *
 * @param sheet address of the portal's style sheet
 * @param language value of `accept-language`
 */
export function gatewayDocument(name: string, sheet: string, language: string): GalleryDocument | undefined {
  const assets = { style: () => sheet, script: () => undefined };
  const waiting = (reason: 'full' | 'address'): GalleryDocument => ({
    body: waitingDocument(assets, { reason, place: 3 }, language, ''),
    policy: waitingPolicy(["'self'"]),
  });
  switch (name) {
    case 'start':
      return { body: portalDocument(assets, language, '') };
    case 'refused':
      return { body: portalDocument(assets, language, '', 'not an address') };
    case 'waiting':
      return waiting('full');
    case 'waiting-network':
      return waiting('address');
    case 'protection': {
      const facts = { page: undefined, accepted: language, look: '', isEncrypted: true };
      return { body: protectionDocument(assets, { ...STRONG, ...NO_SETTINGS }, RULES, facts) };
    }
    case 'protection-weak': {
      const facts = { page: 'https://example.org/', accepted: language, look: '', isEncrypted: false };
      return { body: protectionDocument(assets, { ...WEAK, ...NO_SETTINGS }, RULES, facts) };
    }
    default:
      return undefined;
  }
}
