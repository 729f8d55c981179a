import type net from 'node:net';
import { linkSocket } from '../link/link-socket.ts';

/** Descriptor of a cell's link to the host. */
const LINK_DESCRIPTOR = 3;

/**
 * Opens the cell's end of the link to its host: a stream socket. When it closes, the host has ended, and the cell must
 * exit.
 */
export function openLink(): net.Socket {
  return linkSocket({ fd: LINK_DESCRIPTOR });
}
