/** A few lines of code that meet a requirement, for one stack. */
export interface Fix {
  /** The framework, such as `Express`. */
  stack: string;
  /** The language of the code, as Markdown calls it. */
  language: string;
  code: string;
}

/** Help for a developer whose service fails a requirement. */
export interface Guide {
  /** The consequence of the failure for a client. */
  why: string;
  /** The mistake in the code that usually causes the failure. */
  mistake: string;
  /** The same remedy in two stacks. */
  fixes: readonly [Fix, Fix];
  /** The freedoms that the requirement leaves, a sentence each. */
  freedoms: readonly string[];
}

/** Guides by the slugs of their requirements. */
export type Guides = Readonly<Record<string, Guide>>;
