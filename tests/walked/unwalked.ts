const RENDERER = 'the second renderer: nothing sends it yet';
const SIGN_IN = 'machines and sign-in: no host answers with it yet';
const ALONE = 'tests/e2e/webauthn.spec.ts, in browsers of its own, which are not watched';
const DEVICES = 'the browsers of these tests have one screen, and one look';
const FULL = 'a host whose disk is full: plugins/downloads/tests/list.test.ts, plugins/uploads/tests/upload.test.ts';
const RELOADED = 'a tab that is loaded anew after such an end: plugins/downloads/tests/client.test.ts';
const BUTTONS = 'the runner presses three buttons: plugins/mouse/tests, plugins/pointer-lock/tests';

/**
 * Parts of the protocol that no browser test has to bring over a channel, and all below them, with the reason and, where there is one, the test
 * that has them. {@link MOST_UNWALKED} only falls.
 */
export const UNWALKED: Readonly<Record<string, string>> = {
  fupd: RENDERER,
  visible_tree: RENDERER,
  bounding_rect: RENDERER,
  rfc: RENDERER,
  'scroll-and-scale.target.offset': 'a scroll has a node, and no place in it',
  'input.by': 'pickers and lists of browsers are not driven by tests: plugins/mirror/tests/client-edits.test.ts',
  'set-render-params.device_metrics.screen_orientation_type': DEVICES,
  'client-detach': 'goes out with the page, and nothing hears it by then: core/session/tests/session-end.test.ts',
  resume_client_update: 'a browser that freezes its pages: core/session/tests/session.test.ts',
  'bandwidth-action': 'nothing counts bandwidth unless a plugin does: host/cell/tests/policy.test.ts',
  'certificates.close': 'plugins/certificates/tests/host.test.ts',
  'certificates.invalid.fault': 'sites of these tests have one fault: plugins/certificates/tests/host.test.ts',
  'certificates.invalid.proceed': 'plugins/certificates/tests/host.test.ts',
  'clipboard.refused': 'of its reasons, two need a policy or a browser of their own: plugins/clipboard/tests',
  'composition.edit': 'drivers of browsers make no such edit: plugins/composition/tests/host-text-edits.test.ts',
  'composition.text': 'drivers of browsers make no such edit: plugins/composition/tests/text-edits.test.ts',
  'context-menu.ask.press': 'the runner has no key for menus: plugins/context-menu/tests',
  'context-menu.not-saved': 'a picture that is gone when it is saved: plugins/context-menu/tests/host.test.ts',
  'context-menu.offer.disabled': 'plugins/context-menu/tests/items.test.ts',
  'dialogs.flood-over': 'by chance, as its page is closed: tests/e2e/asks.spec.ts',
  'download_cancelled.reason=5': FULL,
  'download_restore_prog.reason=4': RELOADED,
  'download_restore_prog.reason=5': RELOADED,
  'download_restore_prog.reason=6': RELOADED,
  'download_restore_prog.status': 'of a download that has just started: plugins/downloads/tests',
  'search_start.kind': 'the bar goes back by the list that it has: plugins/find/tests',
  'validate_form.problem': 'a form of these tests has few: plugins/form-controls/tests/page.test.ts',
  graft: 'by chance: a frame that comes before its document. plugins/mirror/tests',
  'http-auth.close': 'plugins/http-auth/tests/host.test.ts',
  'mirror.resync': 'a view that has lost its place: plugins/mirror/tests/client-frames.test.ts',
  'CM-mouse.button': BUTTONS,
  'navigation.failed.failure': 'networks of these tests fail in few ways: plugins/navigation/tests/failures.test.ts',
  'promise-response.outcome.code=3': 'browsers of these tests have a position at once',
  'pointer-lock.answer.refusal': 'plugins/pointer-lock/tests',
  'pointer-lock.pressed.button': BUTTONS,
  'selection result.why': 'the page has changed meanwhile, by chance: plugins/selection/tests',
  'abort-upload': 'plugins/uploads/tests',
  'upload_aborted.reason=3': FULL,
  'upload_aborted.reason=4': 'a file that changes while it is read: plugins/uploads/tests/upload.test.ts',
  'upload_aborted.reason=6': 'a page with the files of very many uploads: plugins/uploads/tests/host.test.ts',
  'upload_blocked.files.reason': 'scanners of these tests refuse in few ways: plugins/files/tests/rules.test.ts',
  'uploads.drag-leave': 'the runner’s drags end in the view: plugins/uploads/tests/host.test.ts',
  'webauthn.cancel': ALONE,
  'webauthn.request': ALONE,
  'webauthn.result': ALONE,
  'POST /r/pair.render_params.media_features': DEVICES,
  'POST /r/pair.body': 'of a form that opens a shell: core/session/tests/session.test.ts',
  'POST /r/pair.content_type': 'of a form that opens a shell: core/session/tests/session.test.ts',
  'POST /r/pair result.s_nid': SIGN_IN,
  'POST /r/pair result.pa_tok': SIGN_IN,
  'POST /r/pair result.login_url': SIGN_IN,
  'POST /r/pair result.posture_url': SIGN_IN,
  'POST /r/pair result.rc_rlist': SIGN_IN,
  'POST /r/pair result.rc_url': SIGN_IN,
  'POST /r/pair result.retry_nid': SIGN_IN,
  'POST /r/pair result.error_page': 'host/gateway/tests/pair-routes.test.ts',
  'POST /r/pair result.integrity_hosts': 'a host with --inspect-origin: plugins/login/tests',
  'POST /r/pair result.inspect_host': 'a host with --inspect-origin: plugins/login/tests',
  'POST /r/pair result.use_integrity_token': 'a host with --inspect-origin: plugins/login/tests',
  'POST /r/pair result.sb': 'a host with --inspect-origin: plugins/login/tests',
  'POST /r/pair result.ui_frame_hash': 'surfaces: there is one page frame, for all',
};

/** Number of entries of {@link UNWALKED}. */
export const MOST_UNWALKED = 61;
