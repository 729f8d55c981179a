import { rendererToken } from '../../../core/index.ts';
import type { Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { HarnessOptions, PluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';

/** Answers of the helper by operation; an error text rejects. */
export type Answers = Readonly<Record<string, unknown>>;

declare global {
  interface Window {
    startLogin: (options: HarnessOptions, answers: Answers, checks?: unknown) => Promise<void>;
    login: PluginHarness;
    answers: Answers;
    /** Types of events that listeners of the document have heard. */
    heard: string[];
  }
}

window.startLogin = async (options, answers, checks) => {
  window.answers = answers;
  const harness = pluginHarness(manifest, {
    ...options,
    helper: async (_method, params) => {
      const { operation } = params as { readonly operation: string };
      const answer = window.answers[operation];
      if (typeof answer === 'string') throw new Error(answer);
      return answer;
    },
  });
  window.login = harness;
  if (checks !== undefined) await harness.client.storage.set('checks', checks);
  harness.clientServices.provide(rendererToken, {
    documents: (each: (view: { readonly frame: number; readonly document: Document }) => () => void) =>
      each({ frame: 1, document }),
  } as unknown as Renderer); // the login plugin uses nothing else
  await activate(harness.client);
  const container = document.body.appendChild(document.createElement('div'));
  await harness.overlay.render(container, (fault) => {
    throw fault;
  });
};
