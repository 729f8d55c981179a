import { SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { LoginBarProps } from '../client/sign-in.ts';

export const surfaces: readonly Surface[] = [
  {
    name: 'login.bar',
    part: '.vitrine-banner',
    show: ({ slots }) => {
      const props: LoginBarProps = { message: 'You are not signed in.', action: 'Sign in', onAction: () => undefined };
      slots.fill(SLOTS.banner, { load: () => import('../client/login-bar.tsx') }, props);
    },
  },
];
