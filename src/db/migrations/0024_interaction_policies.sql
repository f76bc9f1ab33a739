-- Interaction policies of GoToSocial: who may favourite, answer and boost a remote post, and the approvals of its author.

alter table statuses
  -- Who may do what with a remote post: domain/statuses/interaction-policy.ts. Null: everyone who can see it may do everything.
  add column interaction_policy jsonb,
  -- Of a reply or boost that its target's author has to approve. Null: approved, or no approval needed. Otherwise only its own author sees it.
  add column approval text check (approval in ('pending', 'rejected', 'revoked')),
  -- The authorization by the target's author: verified where `approval` is null, only claimed before.
  add column approval_uri text;
create index statuses_approval on statuses (approval_uri) where approval_uri is not null;

alter table favourites
  -- Null: approved, or no approval needed. A pending favourite does not count.
  add column approval text check (approval = 'pending'),
  add column approval_uri text;
create index favourites_approval on favourites (approval_uri) where approval_uri is not null;
