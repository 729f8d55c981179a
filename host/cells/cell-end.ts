import net from 'node:net';

/** Descriptor on which a cell finds its link to the host. */
const LINK_DESCRIPTOR = 3;

/** The cell's end of the link to its host: a stream socket. Once it closes, the host is gone, and the cell has to exit. */
export function openLink(): net.Socket {
  return new net.Socket({ fd: LINK_DESCRIPTOR, readable: true, writable: true });
}
