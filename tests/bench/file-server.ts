import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

const MIB = 1024 * 1024;

/** A page that downloads files, gives them to itself, and has a field: each answers in an `output`. */
const PAGE = `<!doctype html><title>Files</title>
<style>body { margin: 0 } textarea { position: absolute; left: 20px; top: 60px; width: 400px; height: 200px; font: 20px monospace }
a, input, output { position: absolute; top: 400px } input { left: 200px; top: 440px } #posted { top: 480px }</style>
<textarea spellcheck="false"></textarea><a id="file" download>Save</a><input id="change" type="file"><output id="changed"></output>
<input id="post" type="file" style="top: 520px"><output id="posted"></output>
<script>
file.href = '/file' + location.search;
change.addEventListener('change', () => { changed.textContent = String(change.files[0].size); });
post.addEventListener('change', async () => {
  await fetch('/sink', { method: 'POST', body: post.files[0] });
  posted.textContent = String(post.files[0].size);
});
</script>`;

/** A site with files. */
export interface FileServer {
  readonly origin: string;
  /** As `HOST:PORT`. */
  readonly host: string;
  close(): Promise<void>;
}

/**
 * Serves `/page?mib=N`, whose link leads to `/file?mib=N`: N MiB that no codec makes smaller. `/sink` takes what is posted. `/static` is a file
 * of the disk, as a plain server sends it.
 */
export async function serveFiles(staticFile: string): Promise<FileServer> {
  const block = randomBytes(MIB);
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const mib = Number(searchParams.get('mib') ?? 1);
    const serve = async (): Promise<void> => {
      if (pathname === '/file') {
        response.writeHead(200, {
          'content-type': 'application/x-bench',
          'content-disposition': 'attachment; filename="bench.bin"',
          'content-length': mib * MIB,
          'cache-control': 'no-store',
        });
        await pipeline(Readable.from(blocks(block, mib), { objectMode: false, highWaterMark: MIB }), response);
      } else if (pathname === '/static') {
        response.writeHead(200, { 'content-length': (await stat(staticFile)).size });
        await pipeline(createReadStream(staticFile, { highWaterMark: MIB }), response);
      } else if (pathname === '/sink') {
        await finished(request.resume());
        response.end('ok');
      } else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    };
    serve().catch(() => response.destroy()); // whoever asked has left
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens to TCP
  return {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function* blocks(block: Buffer, count: number): Generator<Buffer> {
  for (let at = 0; at < count; at++) yield block;
}
