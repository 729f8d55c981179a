import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Names of all events that some code of the host listens for on a page's sessions, read from the sources. */
export function heardEvents(): string[] {
  const sources = globSync('{host,plugins/*/host}/**/*.ts', { cwd: ROOT }).filter((file) => !file.includes('/tests/'));
  const found = sources.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(LISTENS)].map(([, name = '']) => name),
  );
  return [...new Set(found)].filter((name) => name !== 'Target.targetCreated').sort(); // that is the browser's own
}

const LISTENS = /\bon\(\s*'([A-Z][A-Za-z]+\.[a-z][A-Za-z]+)'/g;

/** Ids of an attacked tab, which its events name. */
export interface TabIds {
  readonly sessionId: string;
  readonly targetId: string;
  /** Frames besides the main one; the first may not exist. */
  readonly frames: readonly string[];
  readonly loaderId: string;
  /** Number of the page halves' world in the main frame. */
  readonly world: number;
}

const headers = { 'content-type': 'text/html' };
const request = {
  url: 'http://site.test/x.png',
  method: 'GET',
  headers,
  initialPriority: 'High',
  referrerPolicy: 'origin',
};
const response = { url: 'http://site.test/x.png', status: 200, headers, mimeType: 'image/png', fromDiskCache: false };
const stack = {
  timestamp: 1,
  wallTime: 1,
  hasUserGesture: false,
  initiator: { type: 'other' },
  documentURL: request.url,
};

/** Honest parameters of each event, as Chromium would send them for this tab. */
export const EVENTS: Readonly<Record<string, (ids: TabIds) => object>> = {
  'Page.frameAttached': ({ frames, targetId }) => ({ frameId: frames[0], parentFrameId: targetId }),
  'Page.frameDetached': ({ frames }) => ({ frameId: frames[0], reason: 'remove' }),
  'Page.frameNavigated': ({ frames, targetId, loaderId }) => ({
    frame: {
      ...{ id: frames[0], parentId: targetId, loaderId, url: 'http://site.test/f', domainAndRegistry: '', name: '' },
      ...{
        securityOrigin: 'http://site.test',
        mimeType: 'text/html',
        secureContextType: 'Secure',
        gatedAPIFeatures: [],
      },
    },
    type: 'Navigation',
  }),
  'Page.navigatedWithinDocument': ({ targetId }) => ({ frameId: targetId, url: 'http://site.test/#a' }),
  'Page.frameStartedNavigating': ({ targetId, loaderId }) => ({
    ...{ frameId: targetId, loaderId, url: 'http://site.test/next', navigationType: 'differentDocument' },
  }),
  'Page.frameStoppedLoading': ({ targetId }) => ({ frameId: targetId }),
  'Page.domContentEventFired': () => ({ timestamp: 1 }),
  'Page.loadEventFired': () => ({ timestamp: 1 }),
  'Browser.downloadWillBegin': ({ targetId }) => ({
    ...{ frameId: targetId, guid: '0b1c2d3e-0000-4000-8000-000000000001', url: 'http://site.test/a' },
    suggestedFilename: 'a.txt',
  }),
  'Browser.downloadProgress': () => ({
    ...{ guid: '0b1c2d3e-0000-4000-8000-000000000001', totalBytes: 3, receivedBytes: 3, state: 'completed' },
  }),
  'Page.fileChooserOpened': ({ targetId }) => ({ frameId: targetId, mode: 'selectMultiple', backendNodeId: 3 }),
  'Page.windowOpen': () => ({
    url: 'http://site.test/w',
    windowName: 'w',
    windowFeatures: ['popup'],
    userGesture: true,
  }),
  'Page.javascriptDialogOpening': ({ targetId }) => ({
    ...{ url: 'http://site.test/', frameId: targetId, message: 'hello', type: 'alert', hasBrowserHandler: false },
  }),
  'Page.javascriptDialogClosed': ({ targetId }) => ({ frameId: targetId, result: true, userInput: '' }),
  'Runtime.executionContextCreated': ({ targetId }) => ({
    context: {
      ...{ id: 777, origin: 'chrome-extension://x', name: 'Vitrine', uniqueId: '1.2' },
      auxData: { isDefault: false, type: 'isolated', frameId: targetId },
    },
  }),
  'Runtime.executionContextDestroyed': ({ world }) => ({ executionContextId: world, executionContextUniqueId: '1.2' }),
  'Runtime.executionContextsCleared': () => ({}),
  'Runtime.bindingCalled': ({ world }) => ({ name: 'vitrineSend', payload: '[]', executionContextId: world }),
  'Network.requestWillBeSent': ({ targetId, loaderId }) => ({
    ...{ requestId: '7.7', loaderId, frameId: targetId, type: 'Image', request, ...stack },
  }),
  'Network.responseReceived': ({ targetId, loaderId }) => ({
    ...{ requestId: '7.7', loaderId, frameId: targetId, type: 'Fetch', timestamp: 1, response },
  }),
  'Network.dataReceived': () => ({ requestId: '7.7', timestamp: 1, dataLength: 9, encodedDataLength: 9 }),
  'Network.loadingFinished': () => ({ requestId: '7.7', timestamp: 1, encodedDataLength: 9 }),
  'Network.webSocketCreated': () => ({ requestId: '7.8', url: 'ws://one.test/' }),
  'Network.webSocketClosed': () => ({ requestId: '7.8', timestamp: 1 }),
  'Network.loadingFailed': () => ({ requestId: '7.7', timestamp: 1, type: 'Image', errorText: 'net::ERR_FAILED' }),
  'Fetch.requestPaused': ({ targetId }) => ({
    requestId: 'interception-1',
    request,
    frameId: targetId,
    resourceType: 'Document',
  }),
  'CSS.styleSheetAdded': ({ targetId }) => ({
    header: {
      ...{ styleSheetId: 's1', frameId: targetId, sourceURL: 'http://site.test/s.css', origin: 'regular', title: '' },
      ...{ ownerNode: 7, disabled: false, isInline: false, isMutable: true, isConstructed: false, length: 9 },
    },
  }),
  'CSS.styleSheetRemoved': () => ({ styleSheetId: 's1' }),
  'CSS.styleSheetChanged': () => ({ styleSheetId: 's1' }),
  'CSS.fontsUpdated': () => ({
    font: {
      ...{ fontFamily: 'f', fontStyle: 'normal', fontVariant: 'normal', fontWeight: '400', fontStretch: 'normal' },
      ...{ unicodeRange: 'U+0-10FFFF', src: '', platformFontFamily: 'F', fontDisplay: 'auto' },
    },
  }),
  'DOM.topLayerElementsUpdated': () => ({}),
  'Inspector.targetCrashed': () => ({}),
  'Target.attachedToTarget': ({ frames }) => ({
    ...{ sessionId: 'A'.repeat(32), waitingForDebugger: true },
    targetInfo: {
      targetId: frames[0],
      type: 'iframe',
      title: '',
      url: 'http://other.test/',
      attached: true,
      canAccessOpener: false,
    },
  }),
  'Target.detachedFromTarget': ({ sessionId, targetId }) => ({ sessionId, targetId }),
  'Target.targetInfoChanged': ({ targetId }) => ({
    targetInfo: {
      targetId,
      type: 'page',
      title: 'x',
      url: 'http://site.test/',
      attached: true,
      canAccessOpener: false,
    },
  }),
};
