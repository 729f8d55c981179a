/**
 * Exceptions from the rules of this folder, each with its reason. The lists only get shorter: an exception that is needed no
 * longer fails `exceptions.test.ts`. `to split` and `to move` mark what was there before the rule.
 */
type Exceptions = Readonly<Record<string, string>>;

/** Functions of more than 80 lines, as `file name`. */
export const LONG_FUNCTIONS: Exceptions = {
  'core/ui/menu.tsx Level': 'one level of a menu: its keys, pointer and submenu share its state',
  'plugins/mirror/tests/page-mutations.test.ts mutate': 'runs in a page: it is sent there as one text',
  'tests/e2e/support/view-scan.ts scanView': 'runs in a page: it is sent there as one text',
  'tests/engines/planted.ts plant': 'runs in a page: it is sent there as one text',
};

/** Classes of more than 15 fields, as `file name`. */
export const WIDE_CLASSES: Exceptions = {};

/** Files that are not part of their folder in the graph of imports. */
export const ENTRIES: Exceptions = {
  'host/plugin.ts':
    'what host halves import: it only exports what lies in the folders, and their threads load it by its path',
};

/** Imports that close a circle of folders, as `from -> to`. Without them there is none. */
export const FOLDER_CIRCLES: Exceptions = {};

/** Files of the common parts that name a plugin, or seem to, as `file: plugin`. */
export const FEATURES_NAMED: Exceptions = {
  'core/contracts/manifest.ts: clipboard': 'a permission of the browser, by its name in CDP',
  'core/contracts/manifest.ts: permissions': 'the field of manifests',
  'core/session/shell/copy-text.ts: clipboard': 'a property of the DOM',
  'core/overlay/dialog-root.tsx: context-menu': 'an event of the DOM',
  'core/kernel/dom.ts: fullscreen': 'a property of the DOM, of which pages could replace the getter',
  'host/policy/settings.ts: print': 'a setting of documents that is refused until there are some',
  'host/contracts/verbs.ts: print': 'what a verb does with its output',
};

/** Exports of the product that only tests import, by reason. */
export const EXPORTED_FOR_TESTS: Readonly<Record<string, readonly string[]>> = {
  'a type of what its test makes': [
    'core/channel/channel.ts ChannelOptions',
    'core/channel/server-call.ts ServerCall',
    'plugins/keyboard/client/keys.ts Key',
    'core/protocol/message.ts Direction',
    'core/protocol/message.ts MessageOptions',
    'core/protocol/wire.ts Sequenced',
    'core/session/cof/client.ts HelperFrame',
    'core/session/exit/elsewhere.ts LeavingTab',
    'host/cell/tab/page-silence.ts PageSilenceOptions',
    'host/gateway/view-templates.ts ViewTemplate',
    'host/plugins/external/external-plugins.ts BuiltPlugins',
    'host/plugins/external/external-plugins.ts PluginSource',
    'host/surrogate/folders.ts SurrogateFolders',
  ],
  'a part of a module that its test takes apart': [
    'plugins/files/host/judge/scanners/wrappings.ts officeOf',
    'plugins/files/host/judge/scanners/wrappings.ts pdfOf',
    'plugins/files/host/judge/scanners/wrappings.ts tarOf',
    'plugins/files/host/judge/scanners/wrappings.ts testFile',
    'core/session/connection/policy-calls.ts policyCalls',
    'core/session/shell/frame-refusal.ts bustsFrame',
    'core/session/shell/frame-refusal.ts isTinyFrame',
    'host/cells/cell-processes.ts CellProcessesOptions',
    'host/cells/control-lines.ts MAX_LINE_BYTES',
    'host/cells/control-lines.ts lineSplitter',
    'host/cells/limits/cgroup-versions.ts moveHost',
    'host/cells/limits/process-table.ts processEntry',
    'host/link/peer.ts LinkOptions',
    'host/policy/engine.ts grantsFor',
    'host/policy/settings-table.ts coreSettings',
  ],
  'launches a browser without a launcher, for tests of surrogates and for cells in the process of a test': [
    'host/surrogate/launch.ts LocalSurrogate',
    'host/surrogate/launch.ts launchChromium',
  ],
  'a limit, a delay or a table that its test goes by': [
    'host/cell/budget/open-requests.ts MAX_REQUESTS',
    'host/cell/resources/body-room.ts MAX_READ_BYTES',
    'host/cell/resources/body-room.ts MAX_TAB_BYTES',
    'host/cell/resources/body-turns.ts MAX_CONCURRENT',
    'host/cell/resources/body-turns.ts MAX_WAITING',
    'host/cell/resources/sent-bodies.ts MAX_SENT_BYTES',
    'host/decoder/picture.ts MAX_ANIMATED_PIXELS',
    'host/fonts/font-turns.ts MAX_WAITING',
    'host/fonts/font-turns.ts BURST',
    'plugins/mirror/host/flow.ts MAX_COUNTED',
    'plugins/mirror/host/long-sources.ts MAX_KEPT_UNITS',
    'plugins/mirror/host/long-sources.ts MAX_GIVEN_UNITS',
    'plugins/mirror/host/sheet-versions.ts MAX_OWNERS',
    'plugins/mirror/host/text-source.ts MAX_LOADS',
    'plugins/mirror/host/use-table.ts MAX_USES',
    'plugins/mirror/host/use-table.ts MAX_USE_UNITS',
    'host/plugins/record-buffer.ts MAX_PLUGIN_EVENTS',
    'host/plugins/record-buffer.ts MAX_WAITING_EVENTS',
    'plugins/tab-menu/client/gather.ts OFFER_MS',
    'plugins/tab-menu/client/touch.ts HOLD_MS',
    'core/channel/server-call.ts CALL_TIMEOUT_MS',
    'core/dispatch/hold.ts HOLD_MAX_MESSAGES',
    'core/dispatch/hold.ts HOLD_MS',
    'core/events/catalogue.ts CORE_EVENTS',
    'core/events/reporter.ts EVENT_PATH',
    'core/plugins/kept-messages.ts KEEP_MAX_MESSAGES',
    'core/plugins/kept-messages.ts KEEP_MAX_UNITS',
    'core/plugins/opcodes.ts FIRST_PLUGIN_OPCODE',
    'core/protocol/bodies/carrier.ts WINDOW_BYTES',
    'core/protocol/bodies/carrier.ts MAX_OPEN_BODIES',
    'core/protocol/bodies/carrier.ts STALL_MS',
    'core/protocol/bodies/carrier.ts WAIT_MS',
    'core/protocol/bodies/incoming.ts BUDGET_BYTES',
    'plugins/clipboard/host/incoming.ts PIECE_DEADLINE_MS',
    'core/protocol/endpoint.ts MAX_PENDING_CALLS',
    'core/protocol/frames.ts MAX_OPEN_PARTIALS',
    'core/protocol/frames.ts PARTIAL_BODY_BYTES',
    'core/protocol/frames.ts PARTIAL_HEADER_BYTES',
    'core/protocol/input-flags.ts INPUT_FLAGS_MASK',
    'host/cell/channel/acknowledger.ts ACK_EVERY',
    'host/cell/channel/channel.ts QUEUE_MAX_MESSAGES',
    'host/cell/channel/channel.ts SILENCE_MS',
    'host/cell/channel/channel.ts UPKEEP_MS',
    'host/cell/channel/sender.ts HIGH_WATER_BYTES',
    'host/cell/channel/sender.ts LOW_WATER_BYTES',
    'host/cell/input/input-queue.ts MAX_WAITING',
    'host/cell/tab/page-silence.ts SILENCE_MS',
    'host/plugins/checks.ts CORE_SERVICES',
    'host/plugins/checks.ts CORE_SLOTS',
    'host/plugins/threads/given.ts GIVEN',
    'plugins/keyboard/host/held-keys.ts MAX_HELD',
    'plugins/mirror/client/gestures.ts GESTURE_MS',
    'plugins/mirror/host/flow.ts MAX_OUTSTANDING_BATCHES',
    'plugins/mirror/host/frame-stream.ts MAX_SOURCE_UNITS',
    'plugins/mirror/host/sanitize/attributes.ts NO_PICTURE_YET',
    'plugins/mirror/host/sheet-texts.ts SHEET_DEADLINE_MS',
    'plugins/navigation/host/entry-names.ts SPAN',
    'plugins/navigation/protocol.ts FAILURES',
    'plugins/print/host/throttle.ts FIRST_PAUSE_MS',
    'plugins/print/host/throttle.ts LONGEST_PAUSE_MS',
    'plugins/print/host/throttle.ts SHORT_PAUSE_MS',
    'plugins/reconnect/client/countdown.ts RETRY_AFTER_MS',
    'host/gateway/rates.ts MAX_WEBSOCKETS',
    'host/gateway/rates.ts RATES',
  ],
  'a part with a test of its own': [
    'host/cells/limits/disk-watch.ts sizeOf',
    'core/session/exit/elsewhere.ts loginFields',
    'host/gateway/look.ts lookSheet',
    'core/session/pairing/pairing.ts pairBackoff',
    'plugins/mirror/host/sanitize/css-tokens.ts tokensOf',
  ],
};

/** Exports that are found by the name of their file, as `file name`; a star stands for any part of the file's name. */
export const EXPORTED_BY_NAME: Exceptions = {
  'plugins/compositor/shared/*': 'the halves of this renderer are still to come',
  'tests/bench/measures/*.ts {name,run}': 'tests/bench/main.ts loads all files of the folder',
  'tests/contract/browser-halves.ts offer': 'tests/contract/halves-page.ts writes the import',
  'tests/unhandled-errors.ts default': 'a reporter of vitest, named by tests/run.ts',
  '{core,plugins}/*/tests/gallery.tsx surfaces': 'host/gallery/gallery.ts loads them',
  'core/testing/gallery-shell.ts startGallery': 'host/gallery/gallery.ts writes the import',
  'plugins/*/tests/samples.ts SAMPLES': 'tests/contract/messages.test.ts loads them',
  'core/session/tests/fixture/registry.ts registry': 'stands for the registry that the build makes',
  'host/cell/tests/fixture/echo/host/index.ts activate': 'a plugin',
};
