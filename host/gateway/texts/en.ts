import type { GatewayTexts } from './texts.ts';

export const texts: GatewayTexts = {
  portal: {
    lead: 'Open any site. Its code runs in a disposable browser on the host, never on your machine.',
    address: 'Web address',
    open: 'Open',
    refused: '“{typed}” is not a web address. Try something like example.org or https://example.org/page.',
    recent: 'Recent pages',
    forget: 'Forget them',
    protection: 'What protects you',
  },
  waiting: {
    title: 'Waiting for a free place',
    full: 'All isolated browsers are in use. This page opens by itself as soon as one is free.',
    address: 'Your network has as many isolated browsers as it may. This page opens by itself as soon as one is free.',
    place: 'Your place in the queue: {place}',
    again: 'Close tabs that you do not need: that makes room, too.',
  },
  protection: {
    title: 'Protection',
    lead: 'Active between sites and you, now.',
    on: 'On',
    weaker: 'Weaker',
    off: 'Off',
    rules: 'Rules of your organisation',
    page: 'Page',
    show: 'Show',
    forPage: 'For {page}:',
    anyPage: 'any page',
    yes: 'yes',
    no: 'no',
    forgery:
      'Isolation does not judge sites: a page that asks for a password can still be a forgery. Look at its address.',
    openSite: 'Open a site',
    code: [
      'No code of sites in your browser',
      'Sites run in a browser on the host. Yours gets elements, styles and pictures that were checked twice, in a frame without scripts.',
    ],
    sandbox: ['A sandboxed browser of your own', 'Nobody else uses it. Its profile is deleted when your session ends.'],
    users: [
      'Separate users',
      'Your processes have user ids of their own: they cannot read or stop those of other people.',
    ],
    sharedUser: [
      'Separate users',
      'The host does not run as root: the processes of all people have one user id. The sandbox alone separates them.',
    ],
    limits: [
      'Limits',
      'The kernel limits the memory, processor time and processes of your session: others are not slowed down.',
    ],
    weakLimits: [
      'Limits',
      'The kernel does not limit everything that your session uses: the host looks at its memory and ends it when it is too large.',
    ],
    decoders: [
      'Converted pictures',
      'Pictures that the policy has converted are decoded in a process of their own, without a network.',
    ],
    weakDecoders: [
      'Converted pictures',
      'Pictures that the policy has converted are decoded in a process of their own, but the host cannot keep it from the network.',
    ],
    privateOpen: [
      'Private network',
      'Sites may reach private addresses behind the host. Its administrator has allowed that.',
    ],
    privateSome: [
      'Private network',
      'Sites cannot reach private addresses, but for those that the administrator has allowed. Their number: {count}.',
    ],
    privateClosed: ['Private network', 'Sites cannot reach private addresses behind the host.'],
    encrypted: ['Connection', 'What goes between your browser and the host cannot be read on the way.'],
    plain: ['Connection', 'The connection to the host is not encrypted: others on the network can read it.'],
  },
  admission: {
    title: 'This browser is not admitted',
    text: 'Vitrine was set up for browsers that were admitted to it. Open the admission link once in this browser: the host printed it when it started. If you do not run the host yourself, ask the person who does.',
  },
};
