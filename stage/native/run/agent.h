/* Asks the agent of this node, over its socket. */
#ifndef RUN_AGENT_H
#define RUN_AGENT_H

/* Has it look after a job from now on. Ends the program when it does not. */
void add_job(const char *base, const char *id, unsigned user, const char *const mounts[],
             int mount_count, const char *limits);

/* The job is over. */
void remove_job(const char *base, const char *id);

#endif
