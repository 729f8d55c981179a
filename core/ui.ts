/**
 * Entry for the parts of the kit: what the components of plugins are made of. It is loaded with the first component that imports it: import
 * it from those, never from the client half's `index.ts`. Their style is there wherever components are shown.
 */
export { AmountText } from './ui/amount-text.tsx';
export { fileSize } from './ui/amounts.ts';
export { Bar, Panel } from './ui/bar.tsx';
export { Bubble } from './ui/bubble.tsx';
export { Button, IconButton } from './ui/button.tsx';
export type { ButtonKind } from './ui/button.tsx';
export { CheckField, NumberField, PasswordField, SelectField, TextField } from './ui/fields.tsx';
export { Icon } from './ui/icon.tsx';
export type { IconName } from './ui/icon.tsx';
export { keyHint } from './ui/key-hint.ts';
export { List, Row } from './ui/list.tsx';
export { Menu } from './ui/menu.tsx';
export type { MenuItem } from './ui/menu.tsx';
export { Announcement, Notice } from './ui/notice.tsx';
export type { NoticeKind } from './ui/notice.tsx';
export { Page } from './ui/page.tsx';
export { Progress } from './ui/progress.tsx';
export { Question } from './ui/question.tsx';
export type { Answer } from './ui/question.tsx';
export { ScrollBody } from './ui/scroll-body.tsx';
