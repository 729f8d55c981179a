import type { ReactElement } from 'react';
import { question } from '../../overlay/question.ts';
import { menu } from '../../overlay/menu.ts';
import type { AskMenuProps } from '../../overlay/menu.ts';
import type { QuestionProps } from '../../overlay/question.ts';
import { slot, SLOTS } from '../../contracts/slots.ts';
import type { DialogProps } from '../../contracts/slots.ts';
import type { GalleryStage, Surface } from '../../testing/gallery.ts';
import { Bar, Button, CheckField, IconButton, List, Notice, NumberField, Page, Panel } from '../../ui.ts';
import { PasswordField, Progress, Question, Row, SelectField, TextField } from '../../ui.ts';
import type { MenuItem, NoticeKind } from '../../ui.ts';

type Ask = DialogProps<unknown>;
const nothing = (): void => undefined;
const dialog = slot<Ask>('gallery.dialog', 'dialog');
const DIALOG = '.vitrine-dialog h2';

/** A surface that is a dialog of this content. */
function dialogOf(name: string, Content: (props: Ask) => ReactElement, more: Partial<Surface> = {}): Surface {
  return {
    name: `kit.${name}`,
    part: DIALOG,
    show: ({ slots }) => void slots.ask(dialog, { load: () => Promise.resolve({ default: Content }) }, {}),
    ...more,
  };
}

/** A surface that is docked. */
function dockedOf(name: string, part: string, place: keyof typeof SLOTS, ...contents: (() => ReactElement)[]): Surface {
  const show = ({ slots }: GalleryStage): void => {
    for (const Content of contents) slots.fill(SLOTS[place], { load: () => Promise.resolve({ default: Content }) }, {});
  };
  return { name: `kit.${name}`, part, show };
}

const ITEMS: readonly MenuItem[] = [
  { id: 'back', label: 'Back', icon: 'back', keys: 'Alt+ArrowLeft' },
  { id: 'forward', label: 'Forward', icon: 'forward', keys: 'Alt+ArrowRight', disabled: true },
  { id: 'reload', label: 'Reload', icon: 'reload', keys: 'Control+R' },
  { id: 'find', label: 'Find in page …', icon: 'search', keys: 'Control+F', begins: true },
  { id: 'print', label: 'Print …', icon: 'printer', keys: 'Control+P' },
  { id: 'mute', label: 'Mute this tab', checked: true, begins: true },
  { id: 'pictures', label: 'Pictures only', checked: false },
  {
    id: 'share',
    label: 'Share',
    icon: 'upload',
    items: [
      { id: 'mail', label: 'By mail' },
      {
        id: 'link',
        label: 'As a link',
        items: [
          { id: 'short', label: 'Short' },
          { id: 'long', label: 'Long' },
        ],
      },
    ],
  },
  { id: 'close', label: 'Close the tab', icon: 'close', danger: true, begins: true },
];

const showMenu = ({ slots }: GalleryStage): void => {
  const chosen = slots.ask(slot<AskMenuProps>('gallery.menu', 'dialog'), menu, {
    label: 'Tab',
    items: ITEMS,
    at: { x: 160, y: 24 },
  });
  void chosen.then((id) => {
    document.title = `Chosen: ${id ?? 'nothing'}`; // for the suite
  });
};

const NOTICES: readonly NoticeKind[] = ['info', 'good', 'warning', 'problem'];

export const surfaces: readonly Surface[] = [
  {
    name: 'kit.question',
    part: DIALOG,
    show: ({ slots }) => {
      const props = {
        title: 'example.com wants to know where you are',
        text: 'It sees your position until you leave the page.',
        no: 'Block',
        yes: 'Allow',
      };
      void slots.ask(slot<QuestionProps>('gallery.question', 'dialog'), question, props).then((outcome) => {
        document.title = `Chosen: ${String(outcome)}`; // for the suite
      });
    },
  },
  dialogOf('three-answers', ({ done }) => (
    <Question
      title="Stop this page?"
      text="It does not respond. What you have typed is lost."
      done={done}
      answers={[
        { label: 'Details', value: 'details' },
        { label: 'Wait', value: 'wait', isDefault: true },
        { label: 'Stop the page', value: 'stop', kind: 'danger' },
      ]}
    />
  )),
  dialogOf('form', ({ done }) => (
    <Question
      title="Sign in to intranet.example.com"
      text="The site asks for a name and a password."
      done={done}
      answers={[
        { label: 'Cancel', value: false },
        { label: 'Sign in', value: true, kind: 'primary' },
      ]}
    >
      <Notice kind="warning">The connection is not encrypted: others can read the password.</Notice>
      <TextField label="Name" value="anna" onChange={nothing} autoFocus />
      <PasswordField
        label="Password"
        showLabel="Show password"
        value="secret"
        onChange={nothing}
        problem="Wrong name or password."
      />
    </Question>
  )),
  dialogOf('fields', ({ done }) => (
    <Question title="Fields" done={done} answers={[{ label: 'Save', value: true, kind: 'primary', disabled: true }]}>
      <TextField label="With a hint" hint="One word" value="" placeholder="example" onChange={nothing} />
      <SelectField label="Paper" value="a4" options={[{ value: 'a4', label: 'A4' }]} onChange={nothing} />
      <NumberField label="Scale" value={100} min={10} max={200} onChange={nothing} />
      <CheckField label="Do not ask again" checked onChange={nothing} />
    </Question>
  )),
  dialogOf('long-words', ({ done }) => (
    <Question
      title={`${'a-very-long-name-of-a-site.'.repeat(5)}example says`}
      quote={'This text of a page goes on and on. '.repeat(100)}
      done={done}
      answers={[
        { label: 'Cancel', value: false },
        { label: 'OK', value: true, kind: 'primary', isDefault: true },
      ]}
    />
  )),
  dialogOf('foreign-words', ({ done }) => (
    <Question
      title="example.com says"
      quote={'مرحبا بك في هذه الصفحة.\n\u202Emoc.knab\nSecond line'}
      done={done}
      answers={[{ label: 'OK', value: true, kind: 'primary', isDefault: true }]}
    />
  )),
  { name: 'kit.menu', part: '[role=menu]', show: showMenu, keys: ['ArrowDown'] },
  { name: 'kit.submenu', part: '[role=menu]', show: showMenu, keys: ['s', 'Enter', 'End', 'Enter'] },
  {
    name: 'kit.bar',
    part: '.vitrine-bar',
    show: ({ slots }) => {
      const opener = document.createElement('button');
      opener.textContent = 'Find';
      document.querySelector('.gallery-page')?.append(opener);
      opener.focus();
      const Find = (): ReactElement => (
        <Bar label="Find" role="search" onClose={() => hide()} closeLabel="Close">
          <TextField label="Find in page" hidesLabel value="isolation" onChange={nothing} autoFocus selects />
          <output>3 of 17</output>
          <IconButton icon="up" label="Previous" keys="Shift+Enter" onPress={nothing} />
          <IconButton icon="down" label="Next" onPress={nothing} />
          <IconButton icon="more" label="Match case" pressed onPress={nothing} />
          <IconButton icon="info" label="Nothing" disabled onPress={nothing} />
        </Bar>
      );
      const hide = slots.fill(SLOTS.panel, { load: () => Promise.resolve({ default: Find }) }, {});
    },
  },
  dockedOf('panel', '.vitrine-panel', 'panel', () => (
    <Panel label="Transfers" onClose={nothing} closeLabel="Close">
      <List label="Transfers">
        <Row
          icon="download"
          title="annual-report-2026-final-version-2.pdf"
          detail="3.1 of 12.4 MB · 8 s left"
          actions={
            <>
              <IconButton icon="pause" label="Pause" onPress={nothing} />
              <IconButton icon="close" label="Cancel" onPress={nothing} />
            </>
          }
        >
          <Progress label="annual-report-2026-final-version-2.pdf" value={0.25} />
        </Row>
        <Row icon="upload" title="photo.jpg" detail="Being checked …">
          <Progress label="photo.jpg" />
        </Row>
        <Row icon="check" title="notes.txt" detail="Saved" />
        <Row icon="warning" title="setup.exe" detail="Blocked by your organisation" />
      </List>
    </Panel>
  )),
  dockedOf(
    'notices',
    '.vitrine-notice',
    'notice',
    ...NOTICES.map((kind) => () => (
      <Notice
        kind={kind}
        onClose={nothing}
        closeLabel="Close"
        actions={kind === 'problem' ? <Button>Try again</Button> : undefined}
      >
        A notice of the kind {kind}
      </Notice>
    )),
  ),
  dockedOf('page', '.vitrine-page', 'page', () => (
    <Page
      title="This page is blocked"
      detail="policy-refused · example.com"
      actions={
        <>
          <Button kind="primary">Ask for access</Button>
          <a className="vitrine-link" href="/">
            Open another page
          </a>
        </>
      }
    >
      <p>Your organisation does not allow it.</p>
    </Page>
  )),
];
