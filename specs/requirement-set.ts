/**
 * The version of the set of requirements, which every report carries: docs/requirement-set.md says when each part grows.
 * The first one does when a service that conformed may no longer do so.
 */
export const REQUIREMENT_SET = '3.0.0';
