import type { TappedBrowser } from './tapped-browser.ts';

interface Context {
  readonly id: number;
  readonly auxData?: { readonly frameId?: string; readonly type?: string };
}

/** The isolated worlds that a session has reported: those of the page halves, the latest last. */
export function isolatedWorlds(browser: TappedBrowser, session: string): Context[] {
  return (browser.samples.get('Runtime.executionContextCreated') ?? [])
    .filter(({ sessionId }) => sessionId === session)
    .map(({ params }) => (params as { context: Context }).context) // by its event
    .filter(({ auxData }) => auxData?.type === 'isolated');
}

/** Numbers of the page halves' worlds of the main frame and of one within it. */
export function worldsOf(browser: TappedBrowser, session: string): (number | undefined)[] {
  const target = browser.targets.get(session)?.targetId;
  const contexts = isolatedWorlds(browser, session);
  const of = (isMain: boolean): number | undefined =>
    contexts.findLast(({ auxData }) => (auxData?.frameId === target) === isMain)?.id;
  return [of(true), of(false)];
}
