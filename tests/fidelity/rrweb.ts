import { build } from 'esbuild';

/** Bundles a module that is not in a file, minified, as a classic script. */
export async function bundle(source: string): Promise<string> {
  const result = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  const [file] = result.outputFiles;
  if (!file) throw new Error('The bundler gave no file.');
  return file.text;
}

/** Records the top frame with default options; each event goes to `window.vitrinePeerSend` as JSON, once `vitrinePeerOpen` is resolved. */
export const RECORDER = `
  import { record } from 'rrweb';
  if (window === window.top && location.protocol.startsWith('http')) {
    const start = () => record({ emit: (event) => window.vitrinePeerSend(JSON.stringify(event)) });
    if (window.vitrinePeerOpen) window.vitrinePeerOpen.then(start);
    else start();
  }`;

/** Replays live with default options the events passed to \`window.vitrinePeerAdd\` as JSON. */
export const REPLAYER = `
  import { Replayer } from 'rrweb';
  let replayer;
  window.vitrinePeerAdd = (json) => {
    const event = JSON.parse(json);
    if (!replayer) {
      replayer = new Replayer([], { liveMode: true });
      // Live replay stays as late as its start was: events older than its start would never be shown.
      replayer.startLive(event.timestamp);
      window.vitrinePeerReplayer = replayer;
    }
    replayer.addEvent(event);
  };`;

/** A page that replays at its own top left corner, without the pointer that rrweb draws. */
export const REPLAY_PAGE = `<!doctype html><meta charset="utf-8"><title>replay</title>
<style>html,body{margin:0;overflow:hidden}iframe{border:0}.replayer-wrapper{position:relative}
.replayer-mouse,.replayer-mouse-tail{position:absolute;visibility:hidden}</style><body>`;
