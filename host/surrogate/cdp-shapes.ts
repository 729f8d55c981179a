import * as v from 'valibot';

const text = v.string();
const texts = v.record(v.string(), v.string());
const maybe = v.optional(v.string());
const target = v.object({
  targetId: text,
  type: text,
  url: text,
  openerId: maybe,
  openerFrameId: maybe,
  canAccessOpener: v.optional(v.boolean()),
  parentFrameId: maybe,
});
const request = v.object({ url: text, method: text, urlFragment: maybe, headers: texts });
const response = v.object({
  url: text,
  status: v.number(),
  mimeType: text,
  headers: texts,
  responseTime: v.optional(v.number()),
  fromServiceWorker: v.optional(v.boolean()),
});
const frame = v.object({ frameId: text });

/**
 * The fields of events that the host reads. A page's process may send any event on its own sessions, and Chromium passes it on as it is:
 * what listeners get has the types that the protocol declares.
 */
const SHAPES: Readonly<Record<string, v.GenericSchema>> = {
  'Page.frameAttached': v.object({ frameId: text, parentFrameId: text }),
  'Page.frameDetached': v.object({ frameId: text, reason: maybe }),
  'Page.frameNavigated': v.object({
    frame: v.object({
      id: text,
      parentId: maybe,
      loaderId: text,
      url: text,
      urlFragment: maybe,
      securityOrigin: text,
      mimeType: text,
      unreachableUrl: maybe,
    }),
  }),
  'Page.navigatedWithinDocument': v.object({ frameId: text, url: text }),
  'Page.frameStartedNavigating': v.object({ frameId: text, url: text, navigationType: text }),
  'Page.frameStoppedLoading': frame,
  'Page.fileChooserOpened': v.object({ frameId: text, mode: text, backendNodeId: v.exactOptional(v.number()) }),
  'Page.windowOpen': v.object({ url: text, windowName: text, windowFeatures: v.array(text), userGesture: v.boolean() }),
  'Page.javascriptDialogOpening': v.object({ url: text, message: text, type: text, defaultPrompt: maybe }),
  'Runtime.executionContextCreated': v.object({
    context: v.object({
      id: v.number(),
      origin: text,
      name: text,
      uniqueId: text,
      auxData: v.optional(v.record(v.string(), v.unknown())),
    }),
  }),
  'Runtime.executionContextDestroyed': v.object({ executionContextId: v.number() }),
  'Runtime.bindingCalled': v.object({ name: text, payload: text, executionContextId: v.number() }),
  'Network.requestWillBeSent': v.object({
    requestId: text,
    loaderId: text,
    frameId: maybe,
    type: maybe,
    request,
    redirectResponse: v.optional(response),
  }),
  'Network.responseReceived': v.object({ requestId: text, loaderId: text, frameId: maybe, type: text, response }),
  'Network.dataReceived': v.object({ requestId: text, dataLength: v.number(), encodedDataLength: v.number() }),
  'Network.loadingFinished': v.object({ requestId: text }),
  'Network.loadingFailed': v.object({ requestId: text, errorText: text, blockedReason: maybe }),
  'Network.webSocketCreated': v.object({ requestId: text, url: text }),
  'Network.webSocketClosed': v.object({ requestId: text }),
  'Fetch.requestPaused': v.object({ requestId: text, frameId: text, request }),
  'CSS.styleSheetAdded': v.object({
    header: v.object({
      styleSheetId: text,
      frameId: text,
      sourceURL: text,
      isInline: v.boolean(),
      ownerNode: v.optional(v.number()),
    }),
  }),
  'CSS.styleSheetRemoved': v.object({ styleSheetId: text }),
  'CSS.styleSheetChanged': v.object({ styleSheetId: text }),
  'CSS.fontsUpdated': v.object({
    font: v.optional(
      v.object({
        fontFamily: text,
        fontStyle: text,
        fontWeight: text,
        fontStretch: text,
        unicodeRange: text,
        src: text,
        platformFontFamily: text,
      }),
    ),
  }),
  'Browser.downloadWillBegin': v.object({ frameId: text, guid: text, url: text, suggestedFilename: text }),
  'Browser.downloadProgress': v.object({
    guid: text,
    totalBytes: v.number(),
    receivedBytes: v.number(),
    state: v.picklist(['inProgress', 'completed', 'canceled']),
  }),
  'Target.attachedToTarget': v.object({ sessionId: text, targetInfo: target }),
  'Target.detachedFromTarget': v.object({ sessionId: text }),
  'Target.targetCreated': v.object({ targetInfo: target }),
  'Target.targetInfoChanged': v.object({ targetInfo: target }),
};

/** The fields of results whose every part is read, or sent on. Results of other methods are objects. */
const RESULTS: Readonly<Record<string, v.GenericSchema>> = {
  'Page.getNavigationHistory': v.object({
    currentIndex: v.number(),
    entries: v.array(v.object({ id: v.number(), url: text })),
  }),
  'Target.getTargetInfo': v.object({ targetInfo: target }),
};

const anyParams = v.record(v.string(), v.unknown());

/** Whether the parameters of an event have the shape that its listeners rely on; those of other events are an object. */
export function hasShape(event: string, params: unknown): boolean {
  return v.is(Object.hasOwn(SHAPES, event) ? (SHAPES[event] ?? anyParams) : anyParams, params);
}

/** Whether the result of a method has the shape that its callers rely on. */
export function hasResultShape(method: string, result: unknown): boolean {
  return v.is(Object.hasOwn(RESULTS, method) ? (RESULTS[method] ?? anyParams) : anyParams, result);
}
