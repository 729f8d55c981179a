import type { Gap } from './comparison.ts';

const CANVAS = 'in a frame without scripts a canvas is a box with a picture, and what is in it is never focusable';
const VIDEO = 'a frame without scripts gives every video controls, which are hidden';
const OBJECT = 'objects have no attributes but those of M-059, and show their picture by a rule';
const EMBED = 'embeds are blocked (M-057): an element without a meaning shows their picture';
const EMPTY =
  'to assistive technology, a text input that stands for a number input has a value, which is 0 when it is empty';
const BOUND = 'a text input that stands for a number input does not say the bound that its value is beyond';
const INTERNALS =
  'what a custom element says by its internals alone, nobody but the page can read: no attribute tells of it';
const ACTIVE = 'which option of a list is the active one, before the person uses it, is not told by the page';
const CLOSED = 'details that have been open and are closed leave a box without a name, which nothing is told of';

/** Known gaps, with their reasons. A gap that has closed fails the suite. */
export const GAPS: readonly Gap[] = [
  { page: /^replaced/, direct: /^ *Canvas ""$/, reason: CANVAS },
  { page: /^replaced/, shown: /^ *image ""$/, reason: CANVAS },
  { page: /^replaced/, direct: /^ *button "in the canvas" focusable=true/, reason: CANVAS },
  { page: /^replaced/, shown: /^ *button "in the canvas" invalid/, reason: CANVAS },
  { page: /^replaced/, direct: /^ *Video ".*" disabled=true$/, reason: VIDEO },
  { page: /^replaced/, shown: /^ *Video ".*" disabled=true focusable=true$/, reason: VIDEO },
  { page: /^replaced/, direct: /^ *image "Object" disabled/, reason: OBJECT },
  { page: /^replaced/, shown: /^ *PluginObject "" disabled/, reason: OBJECT },
  { page: /^replaced/, direct: /^ *EmbeddedObject "Embedded"/, reason: EMBED },
  { page: /^replaced/, shown: /^ *image "Embedded"/, reason: EMBED },
  { page: /^(?:forms|focus)/, direct: /^ *spinbutton "(?:Rooms|number)" editable/, reason: EMPTY },
  { page: /^(?:forms|focus)/, shown: /^ *spinbutton "(?:Rooms|number)" value="0"/, reason: EMPTY },
  { page: /^forms/, direct: /^ *spinbutton "Code" .* valuemin=20/, reason: BOUND },
  { page: /^forms/, shown: /^ *spinbutton "Code" value="12" .* valuemin=0/, reason: BOUND },
  { page: /^references/, direct: /^ *checkbox "Internals check box" description="by internals"/, reason: INTERNALS },
  { page: /^references/, direct: /^ *StaticText "(?:Internals check box|later)"/, reason: INTERNALS },
  { page: /^references/, shown: /^ *StaticText "(?:Internals check box|later)"/, reason: INTERNALS },
  { page: /^references/, direct: /^ *image "Named by internals"/, reason: INTERNALS },
  { page: /^references/, direct: /^ *status "Late"/, reason: INTERNALS },
  { page: /^references/, direct: /^ *textbox "(?:Labelled control)?" invalid=false/, reason: INTERNALS },
  { page: /^references/, shown: /^ *generic "Labelled control"/, reason: INTERNALS },
  { page: /^(?:feat-canvas|canvas-|webgl-)/, direct: /^ *Canvas ""$/, reason: CANVAS },
  { page: /^(?:feat-canvas|canvas-|webgl-)/, shown: /^ *image ""$/, reason: CANVAS },
  { page: /^details-accordion/, direct: /^ *generic ""$/, reason: CLOSED },
  { page: /^details-accordion/, shown: /^ *generic ""$/, reason: CLOSED },
  { page: /^form-state/, direct: /^ *listbox "" activedescendant=/, reason: ACTIVE },
  { page: /^form-state/, shown: /^ *listbox "" activedescendant=/, reason: ACTIVE },
];
