import { createPage, type Page } from '../../report/shared/layout.ts';
import { type Invocation, settingOf } from './command.ts';

/** Apart from the command: `--help` does not load what draws a page. */
export const pageOf = ({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): Page => createPage(settingOf(stdout, env));
