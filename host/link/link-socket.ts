import net from 'node:net';

/** Bytes that are read at once, at most: of a unix socket no more wait in the kernel. */
const READ_BYTES = 256 * 1024;

/**
 * A socket for a link, at a descriptor or a path. It reads into the same memory again and again: a chunk of its event `data` is valid during the event
 * alone, or until the socket, which the listener has paused, is resumed. It is paused until a link takes it (`LinkReader`), and for nobody else.
 */
export function linkSocket(place: { readonly fd: number } | { readonly path: string }): net.Socket {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES); // pages of it that no read has filled take no memory
  const callback = (bytes: number): boolean => {
    socket.emit('data', buffer.subarray(0, bytes));
    return !socket.isPaused();
  };
  const onread = { buffer, callback };
  const opened = { ...place, readable: true, writable: true, onread }; // Node's types have `onread` for `connect` alone
  const socket: net.Socket = 'path' in place ? net.connect({ path: place.path, onread }) : new net.Socket(opened);
  return socket.pause(); // a link resumes it: nobody listens yet
}
