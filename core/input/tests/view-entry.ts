import { inputToken } from '../../index.ts';
import type { Target } from '../../index.ts';
import { message } from '../../protocol/message.ts';
import { targetSchema } from '../../protocol/target.ts';
import { playView } from '../../testing/played-view.ts';

/** A device of a test: a knob whose turns the page hears as `knob` events of the browser's. */
const turned = message('knob.turned', { direction: 'client-to-host', lane: 'input', params: targetSchema });

playView([
  {
    manifest: { id: 'knob', version: '1.0.0', api: 1, description: 'A knob', activation: 'boot', protocol: { turned } },
    activate: ({ commands, services, onDispose }) => {
      const input = services.get(inputToken);
      const undo = input.add(({ document, frame, on, signal }) => {
        const turn = (): void => commands.send(turned, { frame, x: 1, y: 2 } satisfies Target);
        document.addEventListener('knob', turn, { signal });
        on('contextmenu', ({ clientX: x, clientY: y }) => input.focus({ frame, x, y }));
      });
      window.removeDevice = undo;
      onDispose(undo);
    },
  },
]);

declare global {
  interface Window {
    /** Undoes what the device has added last. */
    removeDevice?: () => void;
  }
}
