/**
 * Parts of the protocol that one side alone has: in a direction of theirs, the sender does not produce them, or the receiver does not take
 * them by their name. By place (a field and all below it, a kind after `=`), with the reason.
 */
type OneSided = Readonly<Record<string, string>>;

const SIGN_IN = 'machines and sign-in: no host asks for it yet';
const SURFACES = 'surfaces: nothing shows it yet';
const INPUT = 'input: no event of the surrogate is made of it yet';
const RENDERER = 'the second renderer: nothing sends it yet';

/**
 * Owned by later work. {@link OWED} is the number of one-sided fields, kinds and messages under these places: it only falls. What is
 * built is removed here.
 */
export const LATER: OneSided = {
  'core/protocol/core-messages.ts updates': RENDERER,
  'core/protocol/core-messages.ts visibleTree': RENDERER,
  'core/protocol/core-messages.ts boundingRect': RENDERER,
  'core/protocol/core-messages.ts frameComplete': RENDERER,
  'core/protocol/core-messages.ts box': RENDERER,
  'core/protocol/frames.ts KIND.commit': RENDERER,
  'core/protocol/frames.ts KIND.canvas': RENDERER,
  'core/protocol/frames.ts KIND.picture': RENDERER,
  'core/protocol/pairing.ts pairAnswer.s_nid': SIGN_IN,
  'core/protocol/pairing.ts pairAnswer.pa_tok': SIGN_IN,
  'core/protocol/pairing.ts pairAnswer.login_url': SIGN_IN,
  'core/protocol/pairing.ts pairAnswer.posture_url': SIGN_IN,
  'core/protocol/pairing.ts pairAnswer.rc_rlist': SIGN_IN,
  'core/protocol/pairing.ts pairAnswer.rc_url': SIGN_IN,
  'core/protocol/pairing.ts pairAnswer.retry_nid': SIGN_IN,
  'core/protocol/pairing.ts pairAnswer.direct_access': 'surfaces: only a passed person is answered with an address',
  'core/protocol/pairing.ts pairAnswer.error_page.details': SURFACES,
  'core/protocol/pairing.ts pairAnswer.customization': SURFACES,
  'core/protocol/pairing.ts pairAnswer.banner_hidden': SURFACES,
  'core/protocol/pairing.ts pairAnswer.ui_frame_hash': 'surfaces: there is one page frame, for all',
  'core/protocol/pairing.ts pairRequestFields.pair_node': SIGN_IN,
  'core/protocol/pairing.ts pairRequestFields.pa_tok': SIGN_IN,
  'core/protocol/pairing.ts pairRequestFields.chrome_posture': SIGN_IN,
  'core/protocol/pairing.ts pairRequestFields.xheaders': SIGN_IN,
  'core/protocol/pairing.ts pairRequestFields.read_only_entry': SURFACES,
  'core/protocol/pairing.ts renderParamsSchema.visual_viewport': 'input: the surrogate is not zoomed with the view yet',
  'core/protocol/pairing.ts renderParamsSchema.initial_view_height':
    'input: the surrogate knows no keyboard on the screen',
  'plugins/keyboard/protocol.ts keyboard.params.frame': INPUT,
  'plugins/keyboard/protocol.ts insertText.params.frame': INPUT,
  'plugins/mouse/protocol.ts mouse.params': INPUT,
  'plugins/wheel/protocol.ts wheel.params': INPUT,
};

/** Number of one-sided parts under {@link LATER}. It only falls. */
export const OWED = 48;

const SENT = 'S-038: it is sent, and the host does not go by it';
const REFUSED = 'R-037: passwords and federated accounts are refused';
const REPEATED = 'S-039: it is sent, and the host does not go by it';

/**
 * Stays one-sided: the product departs from the requirement that each reason begins with, and tests/REQUIREMENTS.md says why among the
 * departures.
 */
export const DEPARTED: OneSided = {
  'core/protocol/pairing.ts pairRequestFields.transparent_mode': SENT,
  'core/protocol/pairing.ts pairRequestFields.mpa_id': SENT,
  'core/protocol/pairing.ts pairRequestFields.build_id': SENT,
  'core/protocol/pairing.ts pairRequestFields.top_frame_doctype': SENT,
  'core/protocol/pairing.ts pairRequestFields.framing_status': SENT,
  'core/protocol/pairing.ts pairRequestFields.viewport_bounds': SENT,
  'core/protocol/pairing.ts pairRequestFields.supports_mse': SENT,
  'core/protocol/pairing.ts pairRequestFields.unsupported_media_formats': SENT,
  'core/protocol/pairing.ts pairRequestFields.persistent_policy': 'R-089: the host decides by its policy file',
  'core/protocol/pairing.ts repairFields.tab_id': REPEATED,
  'core/protocol/pairing.ts repairFields.dnt': REPEATED,
  'core/protocol/pairing.ts repairFields.popup_initial_pair': REPEATED,
  'core/protocol/pairing.ts repairFields.doctype_correction': REPEATED,
  'core/protocol/pairing.ts unpairRequest': 'S-032: it is sent, and the host knows the tab by safe_rid',
  'plugins/webauthn/protocol.ts webauthnResult.params.result.type=password': REFUSED,
  'plugins/webauthn/protocol.ts webauthnResult.params.result.type=federated': REFUSED,
  'plugins/webauthn/protocol.ts webauthnResult.params.result.name': REFUSED,
  'plugins/webauthn/protocol.ts webauthnResult.params.result.password': REFUSED,
  'plugins/webauthn/protocol.ts webauthnResult.params.result.provider': REFUSED,
};

/** Number of one-sided parts under {@link DEPARTED}. It only falls, too. */
export const KEPT = 25;

const BROWSER = 'a dictionary of a browser’s interface, which passes through whole';

/** Fields of values that are passed on whole, or are made or read where no type says so. They are not missing. */
export const WHOLE: OneSided = {
  'core/protocol/endpoint.ts errorSchema': 'an AppError, by its own fields',
  'core/protocol/target.ts targetSchema': 'a Target: its type says the same',
  'core/protocol/wire.ts controlSchema': 'its fields are those of the interface Control, which are held',
  'core/protocol/auth.ts redirect': 'the login plugin passes each on to the helper frame',
  'core/protocol/core-messages.ts bandwidthAction.params.action': 'passed on to plugins by a hook',
  'core/protocol/page-messages.ts resolveTarget.result': 'the answer of the kernel’s targets, passed on to the input',
  'core/protocol/pairing.ts grant': 'what OpcodeTable has granted',
  'core/protocol/pairing.ts pairAnswer.error_page': 'spread into the outcome of pairing',
  'core/protocol/pairing.ts pairRequestFields.tc_api': 'read before the rest is validated',
  'core/protocol/pairing.ts renderParamsSchema.media_features':
    'features of CSS, each passed on to Chromium by its name and value',
  'plugins/clipboard/protocol.ts guard.params': 'kept as what is permitted',
  'plugins/http-auth/protocol.ts challengeDismiss.params.credentials': 'passed on to the browser, which sends them',
  'plugins/hud/protocol.ts counted.result': 'the answer of the host’s counter',
  'plugins/mirror/protocol.ts fontSchema': 'a font of the host’s list, passed on to the page',
  'plugins/navigation/protocol.ts updateNavbar.params.kind':
    'all but those of a new entry change the one that there is',
  'plugins/permissions/protocol.ts perm.params.name': 'a permission by its name in CDP',
  'plugins/permissions/protocol.ts position': BROWSER,
  'plugins/watermark/protocol.ts watermarkShow.params': 'props of the watermark',
  'plugins/webauthn/protocol.ts credentials': BROWSER,
  'plugins/webauthn/protocol.ts creationOptions': BROWSER,
  'plugins/webauthn/protocol.ts requestOptions': BROWSER,
  'plugins/webauthn/protocol.ts webauthnResult.params.result.authenticator_attachment': BROWSER,
};
