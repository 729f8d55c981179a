import { Socket } from 'node:net';
import type { LinkLimits } from '../limits.ts';
import { linkPeer } from '../peer.ts';
import { serveFarSide } from './far-side.ts';

// The far side of a link as a process of its own: the link is file descriptor 3, its bounds are the first argument.
const limits = JSON.parse(process.argv[2] ?? '{}') as Partial<LinkLimits>;
const peer = linkPeer(new Socket({ fd: 3 }), { limits });
serveFarSide(peer);
peer.handle('exit', () => process.exit(3));
peer.closed.addEventListener('abort', () => {
  setTimeout(() => process.exit(), 2000).unref();
});
