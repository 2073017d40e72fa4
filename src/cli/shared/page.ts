import { createPage, type Page } from '../../report/shared/layout.ts';
import { type Invocation, settingOf } from './command.ts';

/** A separate module, so that `--help` does not load the page renderer. */
export const pageOf = ({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): Page => createPage(settingOf(stdout, env));
